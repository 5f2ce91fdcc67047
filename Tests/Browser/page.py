"""Uses the page of `alertctl web` in Chromium, on a simulated market. Prints a line for each check.

page.py [--programs FOLDER] [--screenshots FOLDER]
"""

import argparse
import glob
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import converter
from waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = """
[feed]
source = "simulator"
interval = "1s"
[history]
keep = "1h"
[[rule]]
name = "btc <img src=x onerror=alert(1)> band"
symbol = "btcinr"
min = "7000000"
max = "9000000"
"""


class Programs:
    """The daemon and the server of the page, with files of their own."""

    def __init__(self, programs):
        self.programs = Path(programs).resolve()
        self.folder = Path(tempfile.mkdtemp(prefix="alertd-browser-"))
        (self.folder / "run").mkdir()
        (self.folder / "state").mkdir()
        self.settings = self.folder / "alertd.toml"
        self.settings.write_text(SETTINGS)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", "TZ": "UTC",
            "ALERTD_SOCKET": str(self.folder / "run/org.alertd.Control"),
        }
        self.daemon = None
        self.start_daemon()
        self.page = subprocess.Popen(
            [self.programs / "alertctl", "web"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.page.stdout.readline().strip()

    def start_daemon(self):
        self.daemon = subprocess.Popen(
            [self.programs / "alertd", "--config", self.folder / "alertd.toml", "--runtime-dir", self.folder / "run",
             "--state-dir", self.folder / "state"], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_for(lambda: "btcinr" in self.alertctl("list"), "the daemon polls")

    def stop_daemon(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(60)

    def alertctl(self, *arguments):
        done = subprocess.run(
            [self.programs / "alertctl", *arguments], env=self.environment, stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=60)
        return done.stdout

    def stop(self):
        self.page.terminate()
        self.page.wait(60)
        if self.daemon.poll() is None:
            self.stop_daemon()
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy(http.server.BaseHTTPRequestHandler):
    """A reverse proxy below /prices/, which passes the path on or removes it."""

    removes_path = False
    port = 0

    def pass_on(self):
        if not self.path.startswith("/prices/"):
            return self.send_error(404)
        path = self.path.removeprefix("/prices") if self.removes_path else self.path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        upstream = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        if self.removes_path:
            headers["Host"] = f"127.0.0.1:{self.port}"
        upstream.request(self.command, path, body, headers)
        answer = upstream.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection"):
                self.send_header(name, value)
        self.end_headers()
        try:
            while part := answer.read1(65536):
                self.wfile.write(part)
        except OSError:
            pass  # The browser closed the stream.
        upstream.close()

    do_GET = do_POST = pass_on

    def log_message(self, *_):
        pass


class Page:
    """A browser with the page."""

    def __init__(self, programs, screenshots):
        self.programs = programs
        self.screenshots = screenshots
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.browser.set_script_timeout(60)
        self.size(1200, 900)
        self.axe = Path(glob.glob(f"{sys.prefix}/lib/python3*/site-packages/axe_core_python/axe.min.js")[0]).read_text()

    def size(self, width, height, dark=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def find(self, selector):
        return wait_for(lambda: self.all(selector), selector)[0]

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def press(self, selector, key):
        """Presses a key on an element that may be replaced meanwhile, even between being found and being focused."""

        def is_pressed():
            try:
                self.find(selector).send_keys(key)
                return True
            except (ElementNotInteractableException, StaleElementReferenceException):
                return False

        wait_for(is_pressed, selector)

    def text(self, selector):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')",
            selector).replace("\N{NO-BREAK SPACE}", " ")

    def go(self, view):
        self.browser.execute_script("location.hash = arguments[0]", view)

    def wait_text(self, selector, part):
        try:
            wait_for(lambda: part in self.text(selector), f"'{part}' in {selector}")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.text(selector)[:200]}") from None

    def shoot(self, name):
        if self.screenshots:
            time.sleep(0.5)
            self.browser.save_screenshot(f"{self.screenshots}/{name}.png")

    def violations(self):
        # The rows of a list are alike; all 450 of them would take a minute.
        self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": self.axe})
        return self.browser.execute_async_script(
            "const done = arguments[0], others = '#rows > :nth-child(n+21)';"
            "axe.run(document.querySelector(others) ? { exclude: [[others]] } : document)"
            ".then((result) => done(result.violations.map("
            "(v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)))")

    def console(self):
        # The browser logs that a request during the restart of the daemon is answered with 503, and one with a wrong
        # amount with 400.
        return [line for line in self.browser.get_log("browser")
                if line["level"] in ("SEVERE", "WARNING") and " 503 " not in line["message"]
                and not ("/api/convert?" in line["message"] and " 400 " in line["message"])]


def list_of_prices(page):
    page.browser.get(page.programs.address)
    page.wait_text("#rows", "btcinr")
    assert "token" not in page.browser.current_url, page.browser.current_url
    assert "key" not in page.browser.current_url, page.browser.current_url
    assert "450 symbols" in page.text("#count"), page.text("#count")
    page.shoot("list")


def the_address_works_once(page):
    here = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.programs.address)
    assert "used already" in page.text("body"), page.text("body")
    page.browser.close()
    page.browser.switch_to.window(here)
    page.browser.get_log("browser")


def search_and_sort(page):
    search = page.find("#search")
    search.send_keys("bitcoin BTCINR")
    wait_for(lambda: len(page.all("#rows tr")) == 1, "one row")
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys("zzz")
    wait_for(lambda: page.find("#none").is_displayed(), "a message instead of an empty list")
    search.clear()
    search.send_keys(" ")
    Select(page.find("#sort")).select_by_value("name")
    names = wait_for(lambda: page.text("#rows .name").split(), "names")
    assert names == sorted(names), names[:10]
    Select(page.find("#sort")).select_by_value("exchange")


def favourites(page):
    page.press("#rows .star", Keys.ENTER)
    wait_for(lambda: "btcinr" in page.programs.alertctl("favourites"), "alertctl knows the favourite")
    page.find("#only").click()
    wait_for(lambda: len(page.all("#rows tr")) == 1, "only favourites")
    page.find("#only").click()


def swedish_kronor(page):
    Select(page.find("#currency")).select_by_value("SEK")
    page.wait_text("#rows .price", "kr")
    page.shoot("list-sek")
    Select(page.find("#currency")).select_by_value("quote")
    page.wait_text("#rows .price", "₹")


def a_limit_is_dragged(page):
    page.go("symbol/btcinr")
    page.find(".handle[data-limit^=max] .knob")
    page.shoot("detail")
    x, y = knob(page, "max")
    label = page.browser.execute_script(
        "return document.querySelector('.handle[data-limit^=max]').getAttribute('aria-label')")
    assert "<img" in label, label
    actions = ActionBuilder(page.browser)
    actions.pointer_action.move_to_location(int(x), int(y)).pointer_down()
    actions.pointer_action.move_to_location(int(x), int(y) + 120).pointer_up()
    actions.perform()
    page.wait_text(".editor output", "fired")
    value = page.find(".editor input").get_attribute("value")
    page.shoot("drag")
    page.find(".editor button.main").click()
    page.wait_text("#question", "Set the max")
    page.shoot("confirm")
    assert value not in page.programs.alertctl("limit", "btcinr", "--json"), "nothing is changed before it is confirmed"
    page.find("#yes").click()
    page.wait_text("#message", "set to ₹")
    assert value in page.programs.alertctl("limit", "btcinr", "--json"), "the daemon has the override"
    page.wait_text(".wide", "changed at run time")


def knob(page, bound):
    """The middle of the knob of a limit. A new chart replaces the elements at any time, but not their places."""
    page.find(f".handle[data-limit^={bound}] .knob")
    return page.browser.execute_script(
        "const knob = document.querySelector(`.handle[data-limit^=${arguments[0]}] .knob`);"
        "knob.scrollIntoView({ block: 'center' });"
        "const box = knob.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]", bound)


def a_limit_is_dragged_by_a_finger(page):
    page.size(360, 740)
    page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    drawn = "return document.querySelector('.picture svg')?.viewBox.baseVal.width ?? 0"
    wait_for(lambda: 0 < page.browser.execute_script(drawn) <= 360, "a narrow chart")
    x, y = knob(page, "min")
    scrolled = page.browser.execute_script("return window.scrollY")

    def touch(kind, points):
        page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", [{"x": x, "y": y}])
    for step in range(1, 9):
        touch("touchMove", [{"x": x, "y": y - step * 6}])
    touch("touchEnd", [])
    page.wait_text(".editor output", "fired")
    now = page.browser.execute_script("return window.scrollY")
    assert now == scrolled, f"the page scrolled from {scrolled} to {now} meanwhile"
    value = page.find(".editor input").get_attribute("value")
    assert float(value) > 7000000, value
    page.shoot("touch")
    box = page.browser.execute_script(
        "const box = document.querySelector('.editor').getBoundingClientRect(); return [box.top, box.bottom]")
    assert 0 <= box[0] and box[1] <= 740, f"the editor is not on the screen: {box}"
    page.press(".editor button.main", Keys.ENTER)
    page.wait_text("#question", "Set the min")
    page.press("#yes", Keys.ENTER)
    page.wait_text("#message", "set to ₹")
    assert value in page.programs.alertctl("limit", "btcinr", "--json"), "the daemon has the override"
    page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    page.programs.alertctl("limit", "reset", "btcinr")


def a_limit_is_moved_by_keys(page):
    page.size(1200, 900)
    for _ in range(3):
        page.press(".handle[data-limit^=min]", Keys.ARROW_UP)
    page.wait_text(".editor output", "fired")
    page.press(".handle[data-limit^=min]", Keys.ESCAPE)
    wait_for(lambda: not page.find(".editor").is_displayed(), "Escape leaves the limit")
    limits = json.loads(page.programs.alertctl("limit", "btcinr", "--json"))["limits"]
    assert [limit["override"] for limit in limits if limit["bound"] == "min"] == [None], limits


def comparison_and_ranges(page):
    field = page.find(".compare input")
    field.send_keys("ethinr" + Keys.ENTER)
    page.wait_text("figcaption", "ethinr")
    page.shoot("compare")
    page.press(".chip", Keys.ENTER)
    wait_for(lambda: "ethinr" not in page.text("figcaption"), "one curve")
    page.find(".ranges input[value='1h']").send_keys(Keys.SPACE)
    page.wait_text("figcaption", "btcinr")


def a_silence_is_made_and_ended(page):
    page.press(".silence-buttons button", Keys.ENTER)
    page.press("#yes", Keys.ENTER)
    page.wait_text("#message", "silence 1")
    page.go("silences")
    page.wait_text("#view-silences", "btcinr")
    page.size(360, 740)
    label = page.browser.execute_script(
        "return getComputedStyle(document.querySelector('#view-silences td'), '::before').content")
    assert "Ends" in label, f"at the width of a phone, values have names: {label}"
    page.shoot("silences-labels")
    page.size(1200, 900)
    page.press("#view-silences button", Keys.ENTER)
    page.press("#yes", Keys.ENTER)
    page.wait_text("#view-silences", "No silence")


def what_fires_silently_is_said(page):
    page.programs.alertctl("limit", "btcinr", "--max", "7000001")
    page.wait_text("#firing", "FIRING")
    page.programs.alertctl("silence", "add", "*", "--for", "1h")
    page.wait_text("#firing", "(silenced)")
    page.wait_text("#notice", "nobody is notified")
    page.go("prices")
    page.wait_text("#rows .firing", "(silenced)")
    page.shoot("silenced")
    page.size(360, 740)
    space = page.browser.execute_script("""
        const row = document.querySelector("#rows .firing").closest("tr");
        const name = row.querySelector("th").getBoundingClientRect().right;
        return Math.min(...[...row.querySelectorAll(".number")].map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return text.getBoundingClientRect().left - name;
        }));""")
    assert space >= 8, f"{space} pixels between the state and the price"
    page.size(1200, 900)
    page.programs.alertctl("silence", "expire", "--all")
    page.programs.alertctl("limit", "reset", "btcinr")
    wait_for(lambda: not page.find("#notice").is_displayed(), "no notice")
    wait_for(lambda: "FIRING" not in page.text("#firing"), "nothing fires")


def a_failed_reload_is_said(page):
    good = page.programs.settings.read_text()
    page.programs.settings.write_text(good + "nonsense = 1\n")
    page.programs.alertctl("reload")
    page.wait_text("#notice", "fix the file, then run 'alertctl reload'")
    page.shoot("failed-reload")
    assert "old" not in page.browser.execute_script("return document.body.className"), "the prices are good"
    page.programs.settings.write_text(good)
    page.programs.alertctl("reload")
    wait_for(lambda: not page.find("#notice").is_displayed(), "no notice")


def a_bad_address_shows_the_prices(page):
    for place in ("symbol/%E0%A4%A", "symbol/", "symbol", "nonsense/%"):
        page.go(place)
        page.wait_text("#rows", "btcinr")


def the_daemon_restarts_under_the_page(page):
    page.go("prices")
    page.programs.stop_daemon()
    page.wait_text("#notice", "not running")
    page.shoot("gone")
    page.programs.start_daemon()
    wait_for(lambda: not page.find("#notice").is_displayed(), "the page is live again")
    before = page.text("#rows .price")
    wait_for(lambda: page.text("#rows .price") != before, "prices move again")


def a_daemon_that_hangs_is_said(page):
    page.go("prices")
    page.programs.daemon.send_signal(signal.SIGSTOP)
    page.wait_text("#notice", "does not answer")
    begin = time.monotonic()
    statuses = page.browser.execute_async_script(
        "const done = arguments[0]; Promise.all(['page.css', 'page.js', 'list.js'].map((name) =>"
        "fetch(name, { cache: 'no-store' }))).then((all) => done(all.map((answer) => answer.status)))")
    assert statuses == [200, 200, 200], statuses
    print(f"        three files took {time.monotonic() - begin:.3f} s while the daemon did not answer")
    page.shoot("hangs")
    page.programs.daemon.send_signal(signal.SIGCONT)
    wait_for(lambda: not page.find("#notice").is_displayed(), "the page is live again")


def narrow_and_dark(page):
    for view in ("prices", "symbol/btcinr", "alerts", "events", "silences", "convert"):
        for width, dark in ((360, True), (1200, False), (1200, True), (360, False)):
            page.size(width, 740, dark)
            page.go(view)
            name = f"{view.split('/')[0]}-{width}{'-dark' if dark else ''}"
            wait_for(lambda: page.text("main").strip(), "content")
            page.shoot(name)
            wide = page.browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} pixels wide"
            found = page.violations()
            assert not found, f"{name}: {found}"
    page.size(1200, 900)


def the_keyboard_is_enough(page):
    """From the list to a limit that is set, without a pointer."""

    def press(key):
        # To whatever has the focus: a new chart replaces its elements, and keeps it.
        webdriver.ActionChains(page.browser).send_keys(key).perform()

    def focused(script):
        return page.browser.execute_script(f"const it = document.activeElement; return {script}")

    def tab_to(script, what):
        for _ in range(40):
            press(Keys.TAB)
            if focused(script):
                return
        raise AssertionError(f"Tab does not reach {what}")

    page.go("prices")
    press("/")
    wait_for(lambda: focused("it.id === 'search'"), "/ goes to the search")
    press("btcinr")
    wait_for(lambda: len(page.all("#rows tr")) == 1, "one row")
    tab_to("it.getAttribute('href')?.endsWith('#symbol/btcinr')", "the symbol")
    press(Keys.ENTER)
    page.find(".handle[data-limit^=max]")
    tab_to("it.dataset?.limit?.startsWith('max')", "the limit")
    press(Keys.ARROW_UP)
    press(Keys.PAGE_UP)
    page.wait_text(".editor output", "fired")
    value = page.find(".editor input").get_attribute("value")
    press(Keys.ENTER)
    page.wait_text("#question", "Set the max")
    wait_for(lambda: focused("it.closest('dialog') !== null"), "the question has the focus")
    if not focused("it.id === 'yes'"):
        tab_to("it.id === 'yes'", "the button that confirms")
    press(Keys.ENTER)
    page.wait_text("#message", "set to ₹")
    assert value in page.programs.alertctl("limit", "btcinr", "--json"), "the daemon has the override"


def the_page_works_behind_a_proxy(page):
    for removes_path in (False, True):
        proxy = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Below", (Proxy,), {"removes_path": removes_path}))
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        place = f"http://localhost:{proxy.server_port}/prices/"
        server = subprocess.Popen(
            [page.programs.programs / "alertctl", "web", "--listen", "127.0.0.1:0", "--base-url", place],
            env=page.programs.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        try:
            address = server.stdout.readline().strip()
            assert address.startswith(place + "?token="), address
            proxy.RequestHandlerClass.port = listening_port(server.pid)
            page.browser.get(address)
            page.wait_text("#rows", "btcinr")
            assert page.browser.current_url == place, page.browser.current_url
            before = page.text("#rows .price")
            wait_for(lambda: page.text("#rows .price") != before, "prices move")
            cookie = [c for c in page.browser.get_cookies() if c["name"] == "alertctl_session"]
            assert [c["path"] for c in cookie] == ["/prices/"], cookie
            page.go("symbol/btcinr")
            page.find(".handle[data-limit^=max]")
            page.press(".silence-buttons button", Keys.ENTER)
            page.press("#yes", Keys.ENTER)
            page.wait_text("#message", "silence ")
            page.programs.alertctl("silence", "expire", "--all")
        finally:
            server.terminate()
            server.wait(60)
            proxy.shutdown()
    page.browser.get("about:blank")
    page.browser.get_log("browser")


def listening_port(pid):
    """The port of the only socket of the process that listens."""
    sockets = {os.readlink(link) for link in glob.glob(f"/proc/{pid}/fd/*")}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
            return int(fields[1].split(":")[1], 16)
    raise AssertionError("it does not listen")


def nothing_ran_that_a_name_contains(page):
    assert page.browser.execute_script("return document.querySelectorAll('img').length") == 0


CHECKS = [
    list_of_prices, the_address_works_once, search_and_sort, favourites, swedish_kronor, a_limit_is_dragged,
    a_limit_is_dragged_by_a_finger, a_limit_is_moved_by_keys, comparison_and_ranges, a_silence_is_made_and_ended,
    what_fires_silently_is_said, a_failed_reload_is_said, a_bad_address_shows_the_prices,
    *converter.CHECKS, the_daemon_restarts_under_the_page, a_daemon_that_hangs_is_said, narrow_and_dark,
    the_keyboard_is_enough, nothing_ran_that_a_name_contains, the_page_works_behind_a_proxy,
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", default=ROOT / ".build/debug")
    parser.add_argument("--screenshots")
    parser.add_argument("--only", default="", help="only checks whose names match this expression, after the first one")
    options = parser.parse_args()
    programs = Programs(options.programs)
    page = Page(programs, options.screenshots)
    failed = 0
    try:
        for check in CHECKS:
            if not re.search(options.only, check.__name__) and check is not list_of_prices:
                continue
            name = check.__name__.replace("_", " ")
            try:
                check(page)
                messages = page.console()
                assert not messages, f"console: {messages}"
                print(f"ok      {name}")
            except Exception as error:  # The rest may still work.
                failed += 1
                page.shoot(f"failed-{check.__name__}")
                print(f"FAILED  {name}: {error}")
    finally:
        page.browser.quit()
        programs.stop()
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
