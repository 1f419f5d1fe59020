namespace fcbio {}
