"""The converter of the page, as a person uses it; page.py runs these checks."""

from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

from waiting import wait_for


def values(page, selector):
    return page.browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((it) => it.value)", selector)


def write(page, selector, text):
    """Replaces the text of a field."""
    field = page.find(selector)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text)


def choose(page, selector, text, part):
    """Chooses a currency by searching it."""
    write(page, selector, text)
    page.wait_text(f"{selector}-list .active", part)
    page.find(selector).send_keys(Keys.ENTER)
    wait_for(lambda: part in values(page, selector)[0], f"{part} is chosen")


def an_amount_is_converted_while_it_is_typed(page):
    page.size(1200, 900)
    page.go("convert")
    wait_for(lambda: "(INR, ₹)" in values(page, "#convert-to")[0], "the list of currencies")
    choose(page, "#convert-from", "btc", "(BTC)")
    write(page, "#convert-amount", "0,5")
    page.wait_text("#convert-results", "0.5 BTC = ₹")
    page.wait_text("#convert-results", "last price of btcinr")
    page.wait_text("#convert-results", "Not official")
    page.wait_text("#convert-results", "SIMULATED")
    page.wait_text("#convert-results", "Path: BTC → INR")
    page.shoot("convert")
    write(page, "#convert-amount", "1 000,50")
    page.wait_text("#convert-results h3", "1,000.5 BTC")
    write(page, "#convert-amount", "12abc")
    page.wait_text("#convert-fault", "is not an amount; write it like")
    assert not page.all("#convert-results article"), "no old result below a wrong amount"
    assert page.find("#convert-amount").get_attribute("aria-invalid") == "true"
    page.shoot("convert-fault")
    write(page, "#convert-amount", "₹75,00,000")
    wait_for(lambda: "(INR, ₹)" in values(page, "#convert-from")[0], "the currency of the amount is chosen")
    page.wait_text("#convert-results h3", "₹75,00,000.00")
    write(page, "#convert-amount", "2")
    page.wait_text("#convert-results h3", "BTC")


def the_answer_to_the_last_question_is_shown(page):
    """An answer that comes late must not replace the one to a newer question."""
    page.browser.execute_script(
        "window.realFetch = window.fetch; window.late = [];"
        "window.fetch = (address, options) => {"
        "  if (!String(address).includes('amount=3&')) return window.realFetch(address, options);"
        "  const { signal, ...others } = options;"
        "  return new Promise((resolve, reject) => window.late.push(() =>"
        "    window.realFetch(address, others).then(resolve, reject))); }")
    write(page, "#convert-amount", "3")
    wait_for(lambda: page.browser.execute_script("return window.late.length"), "the first question is asked")
    write(page, "#convert-amount", "4")
    page.wait_text("#convert-results h3", "₹4.00")
    late = page.browser.execute_async_script(
        "const done = arguments[0]; window.late.forEach((send) => send());"
        "window.realFetch('page.css').then(() => new Promise((resolve) => setTimeout(resolve, 500))).then(() =>"
        "done(document.querySelector('#convert-results h3').textContent))")
    page.browser.execute_script("window.fetch = window.realFetch")
    assert "₹4.00" in late, late


def currencies_are_found_and_swapped(page):
    write(page, "#convert-amount", "5")
    before = [values(page, "#convert-from")[0], values(page, "#convert-to")[0]]
    page.find("#convert-swap").click()
    wait_for(lambda: [values(page, "#convert-to")[0], values(page, "#convert-from")[0]] == before, "swapped")
    page.wait_text("#convert-results h3", "5 BTC")
    # A name, a part of one, a code and a sign find a coin or a currency.
    for text, part in (("bitcoin", "(BTC)"), ("ethereu", "(ETH)"), ("usdt", "(USDT)"), ("₹", "(INR, ₹)"),
                       ("swedish", "Swedish krona (SEK, kr)"), ("sweden", "Swedish krona (SEK, kr)"),
                       ("kronor", "(SEK, kr)"), ("zloty", "(PLN, zł)"), ("switzerland", "(CHF)"),
                       ("rupees", "(INR, ₹)")):
        write(page, "#convert-more", text)
        page.wait_text("#convert-more-list .active", part)
    found = page.violations()
    assert not found, f"open list: {found}"
    page.shoot("convert-list")
    write(page, "#convert-more", "zzzz")
    wait_for(lambda: not page.find("#convert-more-list").is_displayed(), "no currency, no list")
    page.find("#convert-more").send_keys(Keys.ESCAPE)
    assert values(page, "#convert-more") == [""], "Escape leaves the field as it was"
    choose(page, "#convert-more", "usdt", "")
    wait_for(lambda: len(page.all("#convert-results article")) == 2, "two results")
    # With the pointer: the list closes only after the click.
    write(page, "#convert-more", "ethereum")
    page.wait_text("#convert-more-list li", "(ETH)")
    page.find("#convert-more-list li").click()
    wait_for(lambda: len(page.all("#convert-results article")) == 3, "three results")
    page.shoot("convert-several")
    page.find("#convert-results article:nth-child(2) .remove").click()
    page.find("#convert-results article:nth-child(2) .remove").click()
    wait_for(lambda: len(page.all("#convert-results article")) == 1, "one result")
    page.browser.refresh()
    wait_for(lambda: page.all("#convert-from") and "(BTC)" in values(page, "#convert-from")[0], "remembered")


def conversions_are_kept_and_compared(page):
    page.wait_text("#view-convert", "No conversions are kept")
    # The click follows the edit at once, before anything was converted.
    write(page, "#convert-amount", "7")
    page.find("#convert-keep").click()
    page.wait_text("#convert-history", "7 BTC = ₹")
    page.wait_text("#message", "kept: 7")
    assert "7" in page.programs.alertctl("convert", "--history")
    write(page, "#convert-amount", "8")
    page.find("#convert-history button").click()
    page.wait_text("#convert-history", "Then: ₹")
    page.wait_text("#convert-history", "Now: ₹")
    page.wait_text("#convert-results h3", "8 BTC")
    page.shoot("convert-history")
    page.programs.alertctl("convert", "9", "BTC", "INR")
    page.wait_text("#convert-history", "9 BTC")
    page.press("#convert-history li button:nth-of-type(2)", Keys.ENTER)
    page.wait_text("#question", "Forget “9")
    page.press("#yes", Keys.ENTER)
    wait_for(lambda: "9 BTC" not in page.text("#convert-history"), "it is forgotten")
    assert "9" not in page.programs.alertctl("convert", "--history").split()
    page.find("#convert-history + p + .buttons button:last-child").click()
    page.press("#yes", Keys.ENTER)
    page.wait_text("#view-convert", "No conversions are kept")


def a_click_is_not_lost_when_results_come(page):
    """Results that come while a button is pressed must not move it away from below the pointer."""
    write(page, "#convert-amount", "6")
    page.find("#convert-keep").click()
    page.wait_text("#convert-history", "6 BTC")
    write(page, "#convert-amount", "bad")
    page.wait_text("#convert-fault", "is not an amount")
    x, y = page.browser.execute_script(
        "const button = document.querySelector('#convert-history button'); button.scrollIntoView({ block: 'center' });"
        "const box = button.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]")
    write(page, "#convert-amount", "6")
    actions = ActionBuilder(page.browser)
    # Longer than the pause after the last key, so that the answer comes in between.
    actions.pointer_action.move_to_location(int(x), int(y)).pointer_down().pause(1.5).pointer_up()
    actions.perform()
    page.wait_text("#convert-history", "Then: ₹")
    page.wait_text("#convert-results h3", "6 BTC")


def results_are_old_while_the_daemon_is_away(page):
    page.go("convert")
    write(page, "#convert-amount", "2")
    page.wait_text("#convert-results h3", "2 BTC")
    page.programs.stop_daemon()
    page.wait_text("#convert-note", "These results are of")
    assert page.all("#convert-results.old"), "the result is marked"
    page.shoot("convert-away")
    write(page, "#convert-amount", "3")
    page.wait_text("#convert-note", "Nothing was converted")
    assert not page.all("#convert-results article"), "no old result below a new amount"
    page.programs.start_daemon()
    page.wait_text("#convert-results h3", "3 BTC")
    assert not page.find("#convert-note").is_displayed(), "the note is gone"


def the_converter_is_for_fingers_and_keys(page):
    page.size(360, 740)
    page.go("convert")
    page.wait_text("#convert-results h3", "BTC")
    small = page.browser.execute_script(
        "return [...document.querySelectorAll('.convert input, .convert button')].filter((it) => it.offsetParent)"
        ".map((it) => [it.id || it.textContent, it.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)")
    assert not small, f"smaller than 44 pixels: {small}"
    page.find("#convert-from").click()
    page.find("#convert-from-list li")
    low = page.browser.execute_script(
        "return Math.min(...[...document.querySelectorAll('#convert-from-list li')].map((it) => it.offsetHeight))")
    assert low >= 44, low
    wide = page.browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 360, f"{wide} pixels wide with an open list"
    page.shoot("convert-360-list")
    page.find("#convert-from").send_keys(Keys.ESCAPE)
    page.size(1200, 900)

    def press(key):
        webdriver.ActionChains(page.browser).send_keys(key).perform()

    page.browser.execute_script("document.querySelector('#convert-amount').focus()")
    page.browser.execute_script("document.querySelector('#convert-amount').select()")
    press("12")
    press(Keys.TAB)
    press("eth")
    page.wait_text("#convert-from-list .active", "(ETH)")
    # Tab chooses what was found.
    press(Keys.TAB)
    page.wait_text("#convert-results h3", "12 ETH")
    press(Keys.ENTER)  # Swap has the focus.
    wait_for(lambda: "(ETH)" in values(page, "#convert-to")[0], "swapped by the keyboard")
    press(Keys.TAB)
    press(Keys.ARROW_DOWN)
    page.wait_text("#convert-to-list .active", "(ETH)")
    press(Keys.ARROW_DOWN)
    other = page.text("#convert-to-list .active").strip()
    press(Keys.ENTER)
    wait_for(lambda: values(page, "#convert-to")[0].strip() == other, "chosen with the arrow keys")
    press(Keys.ENTER)  # The list is closed: Enter keeps the conversion.
    page.wait_text("#message", "kept: ")


CHECKS = [
    an_amount_is_converted_while_it_is_typed, the_answer_to_the_last_question_is_shown,
    currencies_are_found_and_swapped, conversions_are_kept_and_compared, a_click_is_not_lost_when_results_come,
    results_are_old_while_the_daemon_is_away, the_converter_is_for_fingers_and_keys,
]
