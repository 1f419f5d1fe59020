// Bundles the page and writes it as a C++ source:  node build.mjs OUTPUT.cpp
// While working on the page:  node build.mjs OUTPUT.html REPORT.json   (what to_json() made)
// Everything is inlined; the page's policy lets it run exactly this script (by its hash) and load nothing.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

let esbuild;
try {
  esbuild = await import("esbuild");
} catch {
  console.error("web/build.mjs: esbuild is not installed; run scripts/setup (or 'npm ci' in web/) and build again");
  process.exit(1);
}

const common = { bundle: true, minify: true, write: false, charset: "ascii", logLevel: "warning", absWorkingDir: here };
const scripts = await esbuild.build({
  ...common, entryPoints: ["src/main.ts"], format: "iife", target: "es2020", metafile: true, legalComments: "none",
});
const styles = await esbuild.build({ ...common, entryPoints: ["src/style.css"] });
const script = scripts.outputFiles[0].text.trim();
const style = styles.outputFiles[0].text.trim();
if (/<\/script|<!--/i.test(script)) throw new Error("the bundled script holds text that would end its element");
if (/<\/style/i.test(style)) throw new Error("the style sheet holds text that would end its element");

// The licences of what was bundled ask to be passed on: each text once, with all its copyright lines.
function licences(inputs) {
  const packages = new Set();
  for (const input of Object.keys(inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  const texts = new Map();  // licence without its copyright lines -> who
  for (const folder of [...packages].sort()) {
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].map((n) => join(here, folder, n)).find(existsSync);
    const about = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
    const text = file ? readFileSync(file, "utf8") : `Licence: ${about.license}`;
    const copyright = text.split("\n").filter((line) => /^\s*copyright\b/i.test(line)).map((line) => line.trim());
    const terms = text.split("\n").filter((line) => !/^\s*copyright\b/i.test(line)).join("\n").replace(/\s+/g, " ").trim();
    if (!texts.has(terms)) texts.set(terms, []);
    texts.get(terms).push(`${about.name} ${about.version}${copyright.length ? " - " + copyright.join("; ") : ""}`);
  }
  let out = "This page contains the following packages.\n";
  for (const [terms, who] of texts) out += `\n${who.join("\n")}\n${terms.replace(/(.{1,110})(?: |$)/g, "$1\n")}`;
  return out.replace(/--+/g, "-").replace(/[<>]/g, " ").replace(/[^\n\x20-\x7e]/g, "?");
}

const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("{{policy}}", () => policy)
  .replace("{{style}}", () => style)
  .replace("{{script}}", () => script)
  .replace("{{licences}}", () => licences(scripts.metafile.inputs));
const pieces = page.split("{{data}}");
if (pieces.length !== 2) throw new Error("src/page.html must hold {{data}} exactly once");

// Numbers, not literals: a compiler may limit the length of a string.
function array(name, text) {
  const bytes = [...Buffer.from(text, "utf8")];
  let out = `const unsigned char ${name}[] = {\n`;
  for (let at = 0; at < bytes.length; at += 32) out += bytes.slice(at, at + 32).join(",") + ",\n";
  return out + "};\n";
}

const source = `// Made by web/build.mjs from web/src.
#include "report/page.hpp"

namespace fcbio::report {
namespace {
${array("kBefore", pieces[0])}${array("kAfter", pieces[1])}}  // namespace

std::string_view page_before_data() { return {reinterpret_cast<const char*>(kBefore), sizeof kBefore}; }
std::string_view page_after_data() { return {reinterpret_cast<const char*>(kAfter), sizeof kAfter}; }

}  // namespace fcbio::report
`;

const output = process.argv[2];
if (!output) {
  const sizes = { script: script.length, style: style.length, page: page.length };
  console.log(`${relative(process.cwd(), here) || "."}: ${JSON.stringify(sizes)} bytes; give a file name to write the C++ source`);
} else if (output.endsWith(".html")) {
  const data = readFileSync(process.argv[3], "utf8").replace(/</g, "\\u003c");
  writeFileSync(output, pieces[0] + data + pieces[1]);
} else {
  writeFileSync(output, source);
}
