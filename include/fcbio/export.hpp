// FCBIO_EXPORT marks what the shared library offers; everything else in it is hidden (-fvisibility=hidden).
#pragma once

#define FCBIO_EXPORT [[gnu::visibility("default")]]
