"""Starts headless Chromium over Debian's chromedriver, and small helpers around it."""

import contextlib
import pathlib
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"


@contextlib.contextmanager
def chromium():
    options = Options()
    options.binary_location = CHROMIUM
    # No sandbox: tests run as root in containers. No /dev/shm: it is small there.
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--force-color-profile=srgb",
                 "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver, width, height=900, phone=False):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})


def prefer_scheme(driver, scheme):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": scheme},
                                         {"name": "prefers-reduced-motion", "value": "reduce"}]})


def until(driver, condition, message, seconds=10):
    WebDriverWait(driver, seconds, poll_frequency=0.05).until(lambda d: condition(), message)


def screenshot(driver, path):
    """The whole page, not only what the window shows."""
    width, height = driver.execute_script(
        "return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    resize(driver, width, height, phone=width < 500)
    time.sleep(0.3)
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(path))
    resize(driver, width, 900, phone=width < 500)
