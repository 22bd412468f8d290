#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""The page of a report as a reader meets it, in a headless Chromium.

usage: report_browser_test.py SAMPLE_REPORT [unittest arguments]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import devtools

SKIPPED = 77
ROW_NAMES = """[...document.querySelectorAll('tbody[data-protocol="%s"] tr:not(.protocol) th')]
                 .map(th => th.textContent)"""
TIP = "document.querySelector('.row[open] .tip')"
PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def brightness(css_color):
    numbers = css_color[css_color.index("(") + 1:-1].replace(",", " ").split()
    return sum(float(number) for number in numbers[:3]) / 3


class ReportTest(unittest.TestCase):
    sample_report = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="subspace-report-")
        cls.addClassCleanup(cls.folder.cleanup)
        page = pathlib.Path(cls.folder.name) / "report.html"
        subprocess.run([cls.sample_report, page], check=True)
        cls.url = page.as_uri()
        cls.pipe = devtools.Pipe(devtools.find_browser())
        cls.addClassCleanup(cls.pipe.close)

    def setUp(self):
        self.page = devtools.Page(self.pipe)
        self.addCleanup(self.page.close)
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective));""")
        self.page.media()
        self.page.width(1280)
        self.page.open(self.url)

    def tearDown(self):
        self.assertEqual(self.page.events("Runtime.exceptionThrown"), [])
        self.assertEqual(self.page.events("Page.javascriptDialogOpening"), [])
        complaints = [event["entry"] for event in self.page.events("Log.entryAdded")]
        self.assertEqual([entry["text"] for entry in complaints if entry["level"] in ("warning", "error")], [])
        spoken = self.page.events("Runtime.consoleAPICalled")
        self.assertEqual([event for event in spoken if event["type"] in ("error", "warning", "assert")], [])
        self.assertEqual(self.page.eval("violations"), [])
        urls = [event["request"]["url"] for event in self.page.events("Network.requestWillBeSent")]
        self.assertEqual([url for url in urls if url.split("#")[0] != self.url and not url.startswith("data:")], [])

    def names(self, protocol="label-free"):
        return self.page.eval(ROW_NAMES % protocol)

    def values(self, key):
        values = self.page.eval(
            f"""[...document.querySelectorAll('tbody[data-protocol="label-free"] tr:not(.protocol)')]
                 .map(row => row.dataset.{key} ?? null)""")
        return [float(value) for value in values if value is not None], values

    def test_names_are_text(self):
        self.assertIn("<script>alert(1)</script>", " ".join(self.names()))
        self.assertEqual(self.page.eval("document.querySelectorAll('tbody script, summary script').length"), 0)

    def test_sorts_by_click(self):
        before = self.names()
        self.page.click("button[data-key=error]")
        numbers, values = self.values("error")
        self.assertEqual(numbers, sorted(numbers))
        self.assertIsNone(values[-1], "rows without a number come last")
        self.assertNotEqual(self.names(), before)
        self.page.click("button[data-key=error]")
        numbers, values = self.values("error")
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertIsNone(values[-1], "rows without a number come last")
        self.assertEqual(self.page.eval("document.querySelector('th:has([data-key=error])').getAttribute('aria-sort')"),
                         "descending")
        self.assertEqual(self.names("oracle"), ["NMCE"], "protocols are not mixed")

    def test_sorts_by_keyboard(self):
        self.page.eval("document.querySelector('button[data-key=error]').focus()")
        self.page.press("Tab")
        self.assertEqual(self.page.eval("document.activeElement.dataset.key"), "sd")
        for key in ("Enter", " "):
            self.page.press(key)
            numbers, _ = self.values("sd")
            self.assertEqual(numbers, sorted(numbers, reverse=key == " "))

    def test_pointing_at_the_map_shows_the_picture(self):
        x, y, number = self.page.eval("""(() => {
            const figure = document.querySelector('.row[open] figure.map');
            const svg = figure.querySelector('svg');
            svg.scrollIntoView({block: 'center'});
            const data = JSON.parse(figure.querySelector('script').textContent);
            const box = svg.getBoundingClientRect();
            return [box.left + data.x[40] * box.width / 1000, box.top + data.y[40] * box.width / 1000, data.point[40]];
        })()""")
        self.page.mouse("mouseMoved", x, y)
        self.page.settle()
        self.assertIn(f"Point {number}", self.page.eval(TIP + ".innerText"))
        self.assert_picture_in_tip()
        self.page.mouse("mouseMoved", 1, 1)
        self.page.settle()
        self.assertEqual(self.page.eval(TIP + ".innerText"), "")

    def assert_picture_in_tip(self):
        image, position, width = self.page.eval(f"""(() => {{
            const picture = {TIP}.querySelector('.thumb');
            const style = getComputedStyle(picture);
            return [style.backgroundImage, style.backgroundPosition, picture.offsetWidth];
        }})()""")
        self.assertTrue(image.startswith('url("data:image/png;base64,'), image[:40])
        self.assertRegex(position, r"^-?[\d.]+px -?[\d.]+px$")
        self.assertEqual(width, 48)

    def test_keys_walk_the_map(self):
        self.page.eval("document.querySelector('.row[open] figure.map input').focus()")
        self.page.press("Tab")
        self.assertEqual(self.page.eval("document.activeElement.tagName"), "svg")
        seen = [self.page.eval(TIP + ".innerText")]
        self.assertIn("Point 0", seen[0])
        for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowUp", "End", "ArrowDown"):
            self.page.press(key)
            seen.append(self.page.eval(TIP + ".innerText"))
            self.assertNotEqual(seen[-1], seen[-2], key)
            self.assert_picture_in_tip()
        self.page.press("Escape")
        self.assertEqual(self.page.eval(TIP + ".innerText"), "")

    def test_map_is_coloured_by_truth_and_by_errors(self):
        def shown():
            return self.page.eval("""[...document.querySelectorAll('.row[open] .dots > g')]
                .filter(layer => getComputedStyle(layer).display !== 'none').map(layer => layer.className.baseVal)""")
        self.assertEqual(shown(), ["by-found"])
        for choice in ("truth", "errors", "found"):
            self.page.click(f".row[open] input[value={choice}]")
            self.assertEqual(shown(), ["by-" + choice])

    def test_keys_open_the_clusters_and_show_their_pictures(self):
        self.page.eval("document.querySelector('.row[open] .clusters > summary').focus()")
        shown = """[...document.querySelectorAll('.row[open] .clusters .thumb')]
                     .filter(picture => picture.checkVisibility({contentVisibilityAuto: true})).length"""
        self.assertEqual(self.page.eval(shown), 0)
        self.page.press("Enter")
        self.assertEqual(self.page.eval(shown), 20 * 3 * 4)
        images = self.page.eval("""[...document.querySelectorAll('.row[open] .clusters .thumb')]
            .map(picture => getComputedStyle(picture))
            .filter(style => !style.backgroundImage.startsWith('url("data:image/png') ||
                             !/^-?[\\d.]+px -?[\\d.]+px$/.test(style.backgroundPosition)).length""")
        self.assertEqual(images, 0)

    def test_curves_have_the_colours_of_the_map(self):
        dots, curves = (self.page.eval(f"""[...new Set([...document.querySelectorAll('.row[open] {paths}')]
                                               .map(path => getComputedStyle(path).stroke))].sort()""")
                        for paths in (".by-found path", "path.curve:not(.all)"))
        self.assertEqual(len(dots), 20)
        self.assertEqual(curves, dots)

    def test_dark_and_light(self):
        self.assertGreater(brightness(self.page.eval(PAPER)), 200)
        self.page.click("#theme")
        self.assertLess(brightness(self.page.eval(PAPER)), 60)
        self.page.click("#theme")
        self.assertGreater(brightness(self.page.eval(PAPER)), 200)

    def test_follows_the_system(self):
        self.page.media(scheme="dark")
        self.assertLess(brightness(self.page.eval(PAPER)), 60)
        self.assertEqual(self.page.eval("document.getElementById('theme').textContent"), "Light")

    def test_never_scrolls_sideways(self):
        self.page.click("button.open-all")
        self.assertEqual(self.page.eval("document.querySelectorAll('details.row:not([open])').length"), 0)
        for width in (375, 1280):
            self.page.width(width)
            wide = self.page.eval("""[...document.querySelectorAll('body *')]
                .filter(element => !element.closest('.scroll, pre') && element.getClientRects().length &&
                                   element.getBoundingClientRect().right > innerWidth + 1)
                .map(element => element.tagName + '.' + element.getAttribute('class'))""")
            self.assertEqual(wide, [], f"at {width} pixels")
            self.assertLessEqual(self.page.eval("document.documentElement.scrollWidth"), width)

    def test_a_phone_shows_whole_commands_and_readable_figures(self):
        self.page.click("button.open-all")
        for width in (375, 1280):
            self.page.width(width)
            covered = self.page.eval("""[...document.querySelectorAll('.command')].filter(block => {
                const button = block.querySelector('.copy').getBoundingClientRect();
                const lines = block.querySelector('pre').getBoundingClientRect();
                return button.left < lines.right && lines.left < button.right &&
                       button.top < lines.bottom && lines.top < button.bottom;
            }).length""")
            self.assertEqual(covered, 0, f"buttons over commands at {width} pixels")
            smallest = self.page.eval("""Math.min(...[...document.querySelectorAll('svg text')].map(
                text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a
                        || Infinity))""")
            self.assertGreaterEqual(smallest, 11, f"at {width} pixels")

    def test_what_scrolls_says_so(self):
        hint = "getComputedStyle(document.querySelector('.wide figcaption'), '::before').content"
        scrolls = """(() => { const box = document.querySelector('.wide .scroll');
                              return box.scrollWidth > box.clientWidth; })()"""
        for width in (375, 700, 1030, 1060, 1280):
            self.page.width(width)
            self.assertEqual("sideways" in self.page.eval(hint), self.page.eval(scrolls), f"at {width} pixels")
        self.assertIn("gradient", self.page.eval("getComputedStyle(document.querySelector('.wide .scroll')).background"))

    def open_anew(self, url):
        """From another page: to another place of the same one, a browser only scrolls."""
        for address in ("about:blank", url):
            self.pipe.events.clear()
            self.page.open(address)

    def test_any_address_leaves_the_page_working(self):
        self.open_anew(self.url + "#100%")
        self.page.click("button.open-all")
        self.assertEqual(self.page.eval("document.querySelectorAll('details.row:not([open])').length"), 0)
        self.page.eval("document.querySelector('.row[open] figure.map svg').focus()")
        self.assertIn("Point 0", self.page.eval(TIP + ".innerText"))

    def test_one_part_that_fails_leaves_the_others(self):
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="""
            window.reported = 0;
            window.reportError = () => { ++reported; };
            document.getElementById = () => { throw new Error("as a test"); };""")
        self.open_anew(self.url)
        self.assertEqual(self.page.eval("reported"), 2, "the theme and the row of the address")
        self.page.eval("document.querySelector('.row[open] figure.map svg').focus()")
        self.assertIn("Point 0", self.page.eval(TIP + ".innerText"))

    def test_paper_shows_everything(self):
        self.page.click("#theme")
        self.assertGreater(self.page.eval("document.querySelectorAll('details:not([open])').length"), 0)
        self.page.media("print")
        self.assertEqual(self.page.eval("document.querySelectorAll('details:not([open])').length"), 0)
        self.assertGreater(brightness(self.page.eval(PAPER)), 200, "paper is white, whatever the screen was")
        self.assertEqual(self.page.eval("getComputedStyle(document.getElementById('theme')).display"), "none")
        self.page.media("")
        self.assertGreater(self.page.eval("document.querySelectorAll('details:not([open])').length"), 0)
        self.assertGreater(len(self.page.call("Page.printToPDF")["data"]), 50000)

    def test_links_open_rows(self):
        row = self.page.eval("document.querySelector('details.row:not([open])').id")
        self.page.click(f'.results a[href="#{row}"]')
        self.assertTrue(self.page.eval(f"document.getElementById('{row}').open"))

    def test_copies_commands(self):
        self.page.click(".row[open] button.copy")
        self.page.eval("new Promise(done => setTimeout(done, 200))")
        self.assertIn(self.page.eval("document.querySelector('.row[open] button.copy').textContent"),
                      ("Copied", "Selected"))

    def test_reads_without_script(self):
        self.page.call("Emulation.setScriptExecutionDisabled", value=True)
        self.pipe.events.clear()
        self.page.open(self.url)
        self.page.call("Emulation.setScriptExecutionDisabled", value=False)
        self.page.eval("window.violations = []")
        self.assertFalse(self.page.eval("document.documentElement.classList.contains('scripted')"))
        self.assertIn("EnSC", self.page.eval("document.querySelector('.results').innerText"))
        self.assertEqual(self.page.eval("getComputedStyle(document.getElementById('theme')).display"), "none")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if devtools.find_browser() is None:
        print("skipped: no Chromium or Chrome was found; apt-get install chromium, or set SUBSPACE_BROWSER")
        sys.exit(SKIPPED)
    ReportTest.sample_report = os.path.abspath(sys.argv.pop(1))
    unittest.main()
