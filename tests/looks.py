"""What can be asked of a page in a browser."""

from __future__ import annotations

#: The least contrast of text and ground among elements (WCAG 2).
CONTRAST = """elements => {
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
    const numbers = text => text.match(/[\\d.]+/g).map(Number);
    const ground = element => {
        const found = numbers(getComputedStyle(element).backgroundColor);
        return found[3] === 0 ? ground(element.parentElement) : found;
    };
    return Math.min(...elements.map(element => {
        const [one, other] = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
        return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    }));
}"""
#: The elements that stick out of a window to the right, but for those in something that scrolls.
CLIPPED = """[...document.querySelectorAll('body *')]
    .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('pre, .x, .skip'))
    .map(element => element.outerHTML.slice(0, 200))"""
#: How many elements can be used; they are numbered in page order.
NUMBERED = """[...document.querySelectorAll('a[href], summary, input, select, textarea, button, [tabindex]:not([tabindex="-1"])')]
    .map((element, at) => element.dataset.at = at).length"""
