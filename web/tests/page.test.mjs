// What a person can do with a report page, in a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  column, data_of, drawing_of, fcbio, in_pages, labels_of, lines_in, made_by_program, start, stop, with_page,
} from "./support.mjs";

before(async () => {
  await start();
  fcbio("demo", "--output", "demo");
  fcbio("generate", "hinge-l1", "-o", "nonsmooth");
  fcbio("solve", "nonsmooth/PROBLEM.toml", "--method", "fcbio-lip", "--max-passes", "200", "--report", "stopped.html", "--quiet");
}, { timeout: 180000 });
after(stop);

const demo_page = () => made_by_program("demo/report.html");
const choose = (page, label, value) => page.click(`[aria-label="${label}"] button[data-value="${value}"]`);

test("the page of 'fcbio demo' opens with its verdict, charts and table", () => with_page(demo_page(), {}, async (page) => {
  const heading = await page.textContent("#verdict");
  assert.match(heading, /Certified: f\(x\) \u2212 f\* \u2264 .* and g\(x\) \u2212 g\* \u2264 .*, both proved/);
  assert.match(await page.textContent(".certificate"), /^Proved: /);
  for (const id of ["lower-gap", "upper-excess", "trade-off"])
    assert.equal(await page.locator(`#${id} .plot svg[role=img]`).count(), 1, id);
  assert.ok(await lines_in(page, "lower-gap") >= 1);
  assert.match(await page.textContent("main"), /Fingerprint/);
  assert.match(await page.title(), /fcbio report/);
}));

test("no point of a real run lies below the cuts that its page draws", () => with_page(demo_page(), {}, async (page) => {
  const { runs } = await data_of(page);
  const cuts = runs.flatMap((run) => run.cuts);
  assert.ok(cuts.some((cut) => cut.multiplier > 0));
  let tightest = Infinity;
  for (const run of runs) {
    const points = run.samples.upper_value.map((f, i) => [f, run.samples.lower_value[i]]);
    for (const [f, g] of [...points, [run.upper_value, run.lower_value]]) {
      if (f == null || g == null) continue;
      for (const { multiplier, value } of cuts) {
        const above = f - (value - multiplier * g);
        assert.ok(above >= -1e-12, `${f}, ${g} lies ${above} below a cut`);
        tightest = Math.min(tightest, above);
      }
    }
  }
  assert.ok(tightest < 1e-2);  // the cuts say something about this run
  assert.equal(await page.locator("#trade-off .impossible path").count(), 1);
}));

test("the page of a run that stopped at a limit says so", () => with_page(made_by_program("stopped.html"), {}, async (page) => {
  assert.match(await page.textContent("#verdict"), /Stopped at the limit of passes/);
  assert.equal(await page.locator("#verdict .seal.good").count(), 0);
}));

test("the program refuses a report that could not be opened or would hit another file", () => {
  const refusal = (...words) => {
    try {
      fcbio("solve", "nonsmooth/PROBLEM.toml", "--quiet", "--max-passes", "10", ...words);
    } catch (error) {
      assert.equal(error.status, 2);
      return error.stderr.toString();
    }
    return "";
  };
  assert.match(refusal("--report", "page.txt"), /--report: expected a name ending in \.html, found 'page\.txt'/);
  assert.match(refusal("--report", "absent/page.html"), /--report absent\/page\.html: expected an existing directory/);
  assert.match(refusal("--report", "same.html", "-o", "same.html"), /--report: 'same\.html' is also --output/);
});

test("the axes switch: label and lines change", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const seen = new Map();
  for (const axis of ["passes", "iterations", "seconds", "passes"]) {
    await choose(page, "against", axis);
    assert.equal(await page.getAttribute(`[aria-label="against"] button[data-value="${axis}"]`, "aria-pressed"), "true");
    for (const id of ["lower-gap", "upper-excess", "bracket"]) {
      assert.ok((await labels_of(page, id)).some((label) => label.startsWith(axis)), `${id} against ${axis}`);
      const drawing = await drawing_of(page, id);
      if (seen.has(id + axis)) assert.equal(drawing, seen.get(id + axis));
      seen.set(id + axis, drawing);
    }
  }
  assert.equal(new Set(seen.values()).size, 9);
}));

test("the work axis is linear or logarithmic", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  // 9 passes beside 1000: logarithmic by itself.
  assert.equal(await page.getAttribute('[aria-label="scale"] button[data-value="log"]', "aria-pressed"), "true");
  const logarithmic = await drawing_of(page, "lower-gap");
  await choose(page, "scale", "linear");
  assert.notEqual(await drawing_of(page, "lower-gap"), logarithmic);
  await choose(page, "scale", "log");
  assert.equal(await drawing_of(page, "lower-gap"), logarithmic);
}));

test("a run that ends below f* is shown there, with its sign", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  assert.equal(await page.locator("#upper-excess .below rect").count(), 1);
  assert.match(await page.textContent("#upper-excess .keys"), /below f\*/);
  // y grows downwards: the last point of "swift" lies under the line of 0, that of "slow" over it.
  const heights = await page.evaluate(() => {
    const zero = document.querySelector("#upper-excess .below rect").getBoundingClientRect().top;
    return [...document.querySelectorAll("#upper-excess .run-end path, #upper-excess .run-end circle")]
      .map((mark) => { const box = mark.getBoundingClientRect(); return box.top + box.height / 2 - zero; });
  });
  assert.equal(heights.length, 3);
  const [, slow, swift] = heights;  // the first run is drawn last
  assert.ok(swift > 3, String(heights));
  assert.ok(slow < -3, String(heights));
  const excess = await column(page, 5);
  assert.match(excess[0], /^\u2212/);
  assert.match(excess[1], /^\+/);
}));

test("the error bars of f* and g* are drawn", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  assert.equal(await page.locator("#upper-excess .floor rect").count(), 1);
  assert.match(await page.textContent("#upper-excess .keys"), /\u00b11e\u22126/);
}));

test("the legend hides a line in every chart and brings it back", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const charts = ["lower-gap", "upper-excess", "trade-off"];
  const entry = page.locator(".legend-entry", { hasText: "slow" });
  for (const id of charts) assert.equal(await lines_in(page, id), 3);
  assert.equal(await entry.getAttribute("aria-pressed"), "true");
  await entry.click();
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  for (const id of charts) assert.equal(await lines_in(page, id), 2, id);
  assert.equal(await page.locator("#bracket .bracket-low path").count(), 2);
  const strokes = await page.locator("#lower-gap .run-line").evaluateAll((all) => all.map((g) => g.getAttribute("stroke")));
  assert.deepEqual(strokes, ["var(--run-2)", "var(--run-0)"]);  // colours stay with their runs; the first is on top
  await entry.press("Enter");
  assert.equal(await entry.getAttribute("aria-pressed"), "true");
  for (const id of charts) assert.equal(await lines_in(page, id), 3, id);
  for (const name of ["swift", "slow", "middling"]) await page.locator(".legend-entry", { hasText: name }).click();
  assert.match(await page.textContent("#lower-gap .plot"), /All runs are hidden/);
  assert.equal(await page.locator("#lower-gap [data-save=SVG]").isDisabled(), true);
}));

test("the running bounds can be shown", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  assert.equal(await page.locator("#lower-gap .bound-line path").count(), 0);
  await page.click("[data-role=bounds]");
  assert.equal(await page.locator("#lower-gap .bound-line path").count(), 3);
  assert.equal(await page.getAttribute("[data-role=bounds]", "aria-pressed"), "true");
}));

test("the trade-off chart goes near the answer", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const whole = await drawing_of(page, "trade-off");
  await page.click("#trade-off button[data-value=answer]");
  assert.notEqual(await drawing_of(page, "trade-off"), whole);
  assert.equal(await page.locator("#trade-off .impossible path").count(), 1);
}));

test("the page of a comparison begins with who got there, ranked", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const names = () => page.locator(".ranking .who").allTextContents();
  assert.equal(await page.evaluate(() => document.querySelector("main").firstElementChild.querySelector("h2").id), "ranking");
  assert.deepEqual(await names(), ["swift", "slow", "middling"]);
  assert.equal(await page.textContent(".ranking-sentence"),
    "swift: 6 passes, proved after 9; nobody else got there. 1 of 3 ended with a proof, 1 never got there.");
  const rows = await page.locator(".ranking .much").allTextContents();
  assert.match(rows[0], /^6 passes.*\u2713 proved after 9$/);
  // A point that was left again counts for the iterate it was, not for the run.
  assert.match(rows[1], /^950 passes at iteration 38; the returned point is not within the accuracy/);
  assert.match(rows[2], /^never stalled after 80 passes; at best [\d.]+ times what was asked for/);
  const bars = await page.locator(".ranking li").evaluateAll((all) => all.map((row) => [...row.querySelectorAll(".bar")].map((bar) => bar.className)));
  assert.deepEqual(bars, [["bar proof", "bar"], ["bar left"], []]);
  const widths = await page.locator(".ranking .bar").evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(widths[1] < widths[0] && widths[0] < widths[2] / 50, String(widths));  // in proportion: 6, 9 and 950
  await choose(page, "measured in", "seconds");
  assert.match((await page.locator(".ranking .much").allTextContents())[0], /^14 ms/);
  assert.deepEqual(await column(page, 2), ["6", "950 (iteration 38, left)", "never"]);
}));

test("many that never got there are named in one line, and opened by the keyboard", () => with_page(in_pages("crowded.html"), {}, async (page) => {
  const box = page.locator("details.never");
  assert.equal(await box.evaluate((details) => details.open), false);
  assert.match(await box.locator("summary").textContent(), /^\d+ never got there method \d+, method/);
  await box.locator("summary").press("Enter");
  assert.equal(await box.evaluate((details) => details.open), true);
  assert.ok(await box.locator(".much").first().isVisible());
}));

test("runs that went on after their certificate are counted up to it", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const data = await data_of(page);
  data.runs[0].work.certified_after = 7;
  data.runs[0].certificate.upper_excess = -0.25;
  const again = await page.context().newPage();
  const html = readFileSync(in_pages("comparison.html"), "utf8").replace(/(id="report-data">)[^]*?(<\/script>)/, (_, before, after) =>
    before + JSON.stringify(data).replace(/</g, "\\u003c") + after);
  await again.setContent(html);
  await again.waitForSelector(".ranking");
  assert.match(await again.textContent(".ranking-sentence"), /^swift: 6 passes, proved after 7;/);
  assert.match(await again.locator(".ranking .much").first().textContent(), /proved after 7 then 2 passes more, to come nearer/);
  assert.match(await again.textContent(".facts"), /certified after 7, then 2 to come nearer/);
  assert.match(await again.textContent(".facts"), /\u22120\.25asked 1e\u22126; below f\*: bought by the slack in g/);
}));

test("a page without several runs, or without f*, has no ranking", async () => {
  for (const name of ["degenerate.html", "hostile.html"])
    await with_page(in_pages(name), {}, async (page) => assert.equal(await page.locator(".ranking").count(), 0, name));
});

test("both levels are drawn in one chart, and a run that is pointed at stands out", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  assert.equal(await lines_in(page, "distance"), 3);
  await page.locator(".legend-entry", { hasText: "slow" }).hover();
  const dimmed = (id) => page.locator(`#${id} .run-line`).evaluateAll((all) => all.map((line) => line.style.opacity !== ""));
  for (const id of ["distance", "lower-gap", "upper-excess", "trade-off"])
    assert.deepEqual(await dimmed(id), [true, false, true], id);  // the first run is drawn last
  await page.hover("h1");
  assert.deepEqual(await dimmed("distance"), [false, false, false]);
  await page.locator(".legend-entry", { hasText: "swift" }).focus();
  assert.deepEqual(await dimmed("distance"), [true, true, false]);
  await page.locator(".legend-entry", { hasText: "swift" }).blur();
  await page.locator(".ranking .who", { hasText: "slow" }).hover();
  assert.deepEqual(await dimmed("distance"), [true, false, true]);
  // Pointing at the line itself does the same.
  await page.hover("h1");
  assert.deepEqual(await dimmed("distance"), [false, false, false]);
  await page.locator("#distance").scrollIntoViewIfNeeded();
  const stands_out = () => page.waitForFunction(() => document.querySelector("#distance .run-line:not(.chosen)")?.style.opacity !== "", null, { timeout: 3000 }).then(() => true, () => false);
  for (let tries = 0, done = false; tries < 20 && !done; ++tries) {  // until the page is at rest below the pointer
    const end = await page.locator("#distance .run-end > *").last().boundingBox();
    for (const away of [3, 1]) await page.mouse.move(end.x + end.width / 2 - away, end.y + end.height / 2);
    done = await stands_out();
    if (!done) await page.mouse.move(0, 0);
  }
  assert.deepEqual(await dimmed("distance"), [true, true, false]);
}));

test("the first run is drawn on top and heavier", () => with_page(in_pages("crowded.html"), {}, async (page) => {
  const lines = await page.locator("#distance .run-line").evaluateAll((all) => all.map((g) => [Number(g.dataset.run), Number(g.getAttribute("stroke-width"))]));
  assert.equal(lines.at(-1)[0], 0);
  assert.ok(lines.slice(0, -1).every(([, width]) => width < lines.at(-1)[1]));
}));

test("runs are found by name and shown by group", () => with_page(in_pages("crowded.html"), {}, async (page) => {
  await page.fill(".search", "METHOD 3");
  assert.deepEqual(await page.locator(".legend-entry:visible span").allTextContents().then((names) => [...new Set(names.map((name) => name.slice(0, 8)))]), ["method 3"]);
  await page.fill(".search", "");
  const groups = await page.locator(".legend-group").allTextContents();
  assert.ok(groups.length >= 2, String(groups));
  const members = Number(/\((\d+)\)/.exec(groups[0])[1]);
  await page.locator(".legend-group").first().click();
  assert.equal(await lines_in(page, "distance"), 40 - members);
  await page.locator(".legend-row").first().locator(".legend-entry").first().click();
  assert.equal(await page.locator(".legend-group").first().getAttribute("aria-pressed"), "mixed");
  await page.locator(".legend-group").first().click();
  assert.equal(await lines_in(page, "distance"), 40);
}));

test("no words lie where lines may cross them: charts hold only the texts of their axes", async () => {
  for (const name of ["comparison.html", "crowded.html", "bounds.html"])
    await with_page(in_pages(name), {}, async (page) => {
      const others = await page.evaluate(() => [...document.querySelectorAll(".plot svg text")]
        .filter((text) => text.textContent && !text.closest("[aria-label*=axis], [aria-label=tip]")).map((text) => text.textContent));
      assert.deepEqual(others, [], name);
      assert.ok(await page.locator(".keys li").count() > 0);
    });
});

test("the answer is shown with its names, as bars and as an image, and how well it classifies", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  assert.match(await page.textContent("#solution"), /^The answer x of swift 12 entries, 11 not zero/);
  assert.deepEqual((await page.locator(".entries .who").allTextContents()).slice(0, 3), ["weight 11", "weight 10", "weight 9"]);
  assert.deepEqual((await page.locator(".entries .much").allTextContents()).slice(0, 2), ["\u22125.5", "+5"]);
  // Negative to the left, positive to the right of the middle: not by colour alone.
  const sides = await page.locator(".entries li").evaluateAll((all) => all.slice(0, 2).map((row) => {
    const track = row.querySelector(".track").getBoundingClientRect(), bar = row.querySelector(".bar").getBoundingClientRect();
    return Math.sign(bar.left + bar.width / 2 - (track.left + track.width / 2));
  }));
  assert.deepEqual(sides, [-1, 1]);
  assert.match(await page.getAttribute("#shape .plot svg", "aria-label"), /^x as an image of 3 by 4, from \u22125\.5 \(black\) to 5 \(white\)/);
  assert.equal(await page.locator("#shape .plot image").count(), 1);
  assert.match(await page.textContent(".classifier"), /^On the 4 rows of g \(logistic\): 50 % classified right \(the larger class alone: 50 %\), AUC 0\.75\.$/);
}));

test("an experiment that confirmed a theorem says so in green, and is no race", () => with_page(in_pages("theorem.html"), {}, async (page) => {
  assert.equal(await page.textContent("#verdict"), "\u2713Confirmed: nobody moved f.");
  assert.equal(await page.locator("#verdict .seal.good").count(), 1);
  assert.equal(await page.locator(".ranking, #distance, #trade-off, .status.poor").count(), 0);
  assert.deepEqual(await column(page, 2), ["zero-respecting", "zero-respecting"]);
}));

test("why g rises again at the end is said beside the chart", () => {
  fcbio("generate", "min-norm", "-o", "rise", "--quiet");
  fcbio("solve", "rise/PROBLEM.toml", "--refine", "0", "--report", "rise.html", "--quiet");
  return with_page(made_by_program("rise.html"), {}, async (page) =>
    assert.match(await page.textContent("#lower-gap figcaption"), /Why g of fcbio rises again.* to [\d.]+e\u2212\d+: on purpose\./));
});

test("the sensitivity is told, and one g*", () => with_page(demo_page(), {}, async (page) => {
  assert.match(await page.textContent("#trade-off figcaption"), /Sensitivity: the solid line falls by \u03bc = /);
  assert.match(await page.textContent(".facts"), /f\* = 0\.5/);
  assert.match(await page.textContent(".facts"), /g\* = 0/);
}));

for (const colorScheme of ["light", "dark"])
  test(`texts can be read against what is behind them (${colorScheme})`, async () => {
    for (const name of ["comparison.html", "theorem.html", "bounds.html", "crowded.html"])
      await with_page(in_pages(name), { colorScheme }, async (page) => {
        const poor = await page.evaluate(() => {
          const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
          const part = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
          const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
          const behind = (node) => {
            for (let at = node; at; at = at.parentElement) {
              const colour = numbers(getComputedStyle(at).backgroundColor);
              if (colour.length === 3 || colour[3] > 0.99) return colour;
            }
            return [255, 255, 255];
          };
          const found = [];
          for (const node of document.querySelectorAll("#page *")) {
            if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()) || !node.getClientRects().length) continue;
            if (node.closest("[aria-pressed=false].legend-entry, :disabled")) continue;
            const style = getComputedStyle(node);
            const colour = numbers(node instanceof SVGElement ? style.fill : style.color);
            const [a, b] = [light(colour), light(behind(node))].sort((x, y) => y - x);
            if ((a + 0.05) / (b + 0.05) < 4.5) found.push(`${node.textContent.slice(0, 30)} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
          }
          return found;
        });
        assert.deepEqual(poor, [], name);
      });
  });

test("the table sorts by number, both ways, and tells it", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const head = page.locator("th", { has: page.locator("button.sort", { hasText: /^passes$/ }) });
  assert.deepEqual(await column(page, 0), ["swift", "slow", "middling"]);
  assert.equal(await head.getAttribute("aria-sort"), "none");
  await head.locator("button").click();
  assert.deepEqual(await column(page, 0), ["swift", "middling", "slow"]);  // 9, 80, 1000
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  await head.locator("button").click();
  assert.deepEqual(await column(page, 0), ["slow", "middling", "swift"]);
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  await page.locator("button.sort", { hasText: /^run$/ }).click();
  assert.deepEqual(await column(page, 0), ["middling", "slow", "swift"]);
  assert.equal(await head.getAttribute("aria-sort"), "none");
}));

test("what is not known sorts last, both ways", () => with_page(in_pages("degenerate.html"), {}, async (page) => {
  const button = page.locator("button.sort", { hasText: /^f\(x\)$/ });
  for (let i = 0; i < 2; ++i) {
    await button.click();
    assert.equal((await column(page, 0)).at(-1), "nothing known");
  }
}));

test("text of the user is shown as text", () => with_page(in_pages("hostile.html"), {}, async (page) => {
  await page.waitForTimeout(300);  // an injected handler would have run by now
  assert.deepEqual(await page.locator(".legend-entry span").allTextContents(),
    ["<script>alert(1)</script>", "<img src=x onerror=alert(4)>"]);
  assert.equal((await column(page, 0))[0], "<script>alert(1)</script>");
  assert.equal(await page.textContent("h1"), "</script><img src=x onerror=alert(2)> & \"quotes\" 'too'");
  assert.match(await page.textContent(".left-out"), /<a href=javascript:alert\(7\)>x<\/a>/);
  assert.match(await page.textContent(".certificate"), /^<img src=https:/);
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator("img, iframe, b, a[href]").count(), 0);
  assert.equal(await page.evaluate(() => Object.prototype.hasOwnProperty.call(Object.prototype, "alert")), false);
}));

test("hovering shows a name that holds markup as text", () => with_page(in_pages("hostile.html"), {}, async (page) => {
  await page.locator("#lower-gap").scrollIntoViewIfNeeded();
  const box = await page.locator("#lower-gap .run-end > *").first().boundingBox();
  for (const away of [12, 8]) await page.mouse.move(box.x - away, box.y + box.height / 2);
  await page.waitForFunction(() => document.querySelector("#lower-gap [aria-label=tip]")?.textContent.includes("alert("));
  assert.equal(await page.locator("script").count(), 2);
}));

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme follows the system and the button", async () => {
  const seen = {};
  for (const colorScheme of ["light", "dark"])
    await with_page(in_pages("comparison.html"), { colorScheme }, async (page) => {
      seen[colorScheme] = await background(page);
      await page.click("button.theme");
      seen[`${colorScheme} toggled`] = await background(page);
      await page.click("button.theme");
      assert.equal(await background(page), seen[colorScheme]);
    });
  assert.notEqual(seen.light, seen.dark);
  assert.equal(seen["light toggled"], seen.dark);
  assert.equal(seen["dark toggled"], seen.light);
});

async function saved(page, id, kind) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${id} [data-save=${kind}]`)]);
  assert.equal(download.suggestedFilename(), `fcbio-${id}.${kind.toLowerCase()}`);
  return readFileSync(await download.path());
}

test("every chart is saved as SVG, with title and legend", () => with_page(in_pages("hostile.html"), { colorScheme: "dark" }, async (page) => {
  for (const id of ["lower-gap", "upper-excess", "bracket", "trade-off"]) {
    const text = (await saved(page, id, "SVG")).toString("utf8");
    const found = await page.evaluate((source) => {
      const read = new DOMParser().parseFromString(source, "image/svg+xml");
      return { errors: read.querySelectorAll("parsererror").length, scripts: read.querySelectorAll("script").length,
        text: read.documentElement.textContent, paths: read.querySelectorAll("path").length };
    }, text);
    assert.equal(found.errors, 0);
    assert.equal(found.scripts, 0);
    assert.ok(found.paths > 3);
    assert.match(found.text, /<script>alert\(1\)<\/script>/);
    assert.doesNotMatch(text, /var\(--run/);
  }
}));

test("a chart is saved as PNG, at twice the size", () => with_page(in_pages("comparison.html"), {}, async (page) => {
  const width = Number(await page.getAttribute("#trade-off .plot svg", "width"));
  const bytes = await saved(page, "trade-off", "PNG");
  assert.equal(bytes.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  assert.equal(bytes.readUInt32BE(16), 2 * (width + 32));
  assert.ok(bytes.length > 5000);
}));

test("printed, the page is light, has no controls and is not cut off", () => with_page(in_pages("comparison.html"), { colorScheme: "dark" }, async (page) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 690, height: 1000 });
  assert.equal(await background(page), "rgb(255, 255, 255)");
  // What is left of buttons are the legend's names and the table's headings, which look like text.
  const left = await page.evaluate(() => [...document.querySelectorAll("button")]
    .filter((button) => button.getClientRects().length > 0 && !button.matches(".legend-entry, .sort")).map((b) => b.textContent));
  assert.deepEqual(left, []);
  const frames = await page.evaluate(() => [...document.querySelectorAll(".legend-entry, .sort")].map((b) => getComputedStyle(b).borderTopWidth));
  assert.deepEqual([...new Set(frames)], ["0px"]);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(await page.evaluate(() => [...document.querySelectorAll(".scroll")].every((box) => box.scrollWidth <= box.clientWidth + 1)));
  await page.emulateMedia({ media: null });
  assert.ok((await page.pdf({ format: "A4" })).length > 10000);
}));

for (const width of [340, 400, 700, 1900])
  test(`nothing sticks out at a width of ${width}`, () => with_page(in_pages("crowded.html"), { viewport: { width, height: 800 } }, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    const plot = await page.locator("#lower-gap .plot svg").boundingBox();
    const card = await page.locator("#lower-gap").boundingBox();
    assert.ok(plot.width <= card.width && plot.x >= card.x);
  }));

test("forty runs can be told apart", () => with_page(in_pages("crowded.html"), {}, async (page) => {
  assert.equal(await lines_in(page, "lower-gap"), 40);
  const looks = await page.locator("#lower-gap .run-line").evaluateAll((all) =>
    all.map((g) => `${g.getAttribute("stroke")} ${g.getAttribute("stroke-dasharray")}`));
  assert.equal(new Set(looks).size, 40);
  await page.getByText("hide all", { exact: true }).click();
  await page.locator(".legend-entry").nth(7).click();
  assert.equal(await lines_in(page, "lower-gap"), 1);
  await page.getByText("show all", { exact: true }).click();
  assert.equal(await lines_in(page, "lower-gap"), 40);
}));

test("data without values, with one or with equal ones is shown for what it is", () => with_page(in_pages("degenerate.html"), {}, async (page) => {
  assert.equal((await column(page, 0)).length, 5);
  for (const axis of ["iterations", "seconds", "passes"])
    for (const scale of ["log", "linear"]) {
      await choose(page, "against", axis);
      await choose(page, "scale", scale);
      for (const name of ["lower-gap", "upper-excess", "trade-off"])
        assert.doesNotMatch(await drawing_of(page, name), /NaN|Infinity/);
    }
  await page.click("#trade-off button[data-value=answer]");
  assert.doesNotMatch(await drawing_of(page, "trade-off"), /NaN|Infinity/);
  // Each run alone.
  for (let i = 0; i < 5; ++i) {
    await page.getByText("hide all", { exact: true }).click();
    await page.locator(".legend-entry").nth(i).click();
    assert.doesNotMatch(await drawing_of(page, "lower-gap"), /NaN|Infinity/);
  }
}));

test("work against a lower bound has a chart with the region ruled out, and a table per method", () => with_page(in_pages("bounds.html"), {}, async (page) => {
  assert.equal(await page.locator("#bounds .plot svg[role=img]").count(), 1);
  assert.equal(await page.locator("#bounds .ruled-out path").count(), 1);
  assert.equal(await page.locator("#bounds .run-end *").count(), 2);
  assert.equal(await page.locator("table.bounds").count(), 2);
  const text = await page.textContent("main");
  assert.match(text, /<script>alert\(1\)<\/script>/);
  assert.match(text, /Fitted exponent \u22120\.437; lower bound \u22120\.5\./);
  assert.match(text, /No fit: fewer than two accuracies were reached\./);
  assert.match(await page.textContent(".left-out"), /a&b/);
  assert.deepEqual(await page.locator("table.bounds").first().locator("tbody tr").first().locator("td").allTextContents(),
    ["0.01", "3", "12", "4", "40", "\u2013", "4.00"]);
}));

test("work against a lower bound is read at 400 pixels without scrolling sideways", () => with_page(in_pages("bounds.html"), { viewport: { width: 400, height: 800 } }, async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(await page.evaluate(() => [...document.querySelectorAll(".scroll")].every((box) => box.scrollWidth <= box.clientWidth + 1)));
  const label = await page.locator("table.bounds td").first().evaluate((cell) => getComputedStyle(cell, "::before").content);
  assert.equal(label, '"accuracy"');
}));

test("a report without runs is a page all the same", () => with_page(in_pages("empty.html"), {}, async (page) => {
  assert.match(await page.textContent("#verdict"), /No run/);
  assert.match(await page.textContent("#lower-gap .plot"), /No run/);
}));
