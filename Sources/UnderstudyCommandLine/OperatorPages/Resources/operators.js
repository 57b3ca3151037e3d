// SPDX-License-Identifier: Apache-2.0
// What the pages for operators do besides their events: dialogs, times relative to now, tables that can be sorted.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

document.addEventListener('click', ({ target }) => {
    target.closest('.opener')?.nextElementSibling.showModal();
    target.closest('.closer')?.closest('dialog').close();
});

// What was typed in a dialog, and why it was rejected, is gone with it: the next success has a message.
document.addEventListener('close', ({ target }) => {
    for (const form of all('form', target)) form.reset();
    for (const error of all('.error', target)) error.textContent = '';
    for (const control of all('[aria-invalid]', target)) control.removeAttribute('aria-invalid');
}, true);

// The message of an event is at its form.
let title;
document.addEventListener('understudy:event', ({ target }) => {
    const notice = document.querySelector('main .notice');
    title = target.closest('section')?.querySelector('h1, h2');
    if (title && notice && notice.previousElementSibling !== title) title.after(notice);
});
document.addEventListener('understudy:answer', ({ target, detail }) => {
    if (detail.ok) target.closest('dialog')?.close();
    // To the start of another part of a list, and to the message if the answer has hidden what had the focus.
    const isNext = target.dataset.usEvent === 'moreButtonPressed';
    setTimeout(() => {
        const focus = document.activeElement;
        if (!title || !isNext && focus !== document.body && focus.checkVisibility()) return;
        title.tabIndex = -1;
        title.focus();
    });
});

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [['day', 864e5], ['hour', 36e5], ['minute', 6e4], ['second', 1e3]];

function showTimes() {
    for (const time of all('[data-time]')) {
        const date = new Date(time.dataset.time), distance = date - Date.now();
        const [unit, size] = units.find(([, size]) => Math.abs(distance) >= size) ?? units.at(-1);
        const text = words.format(Math.trunc(distance / size), unit);
        const exact = date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' });
        if (time.textContent !== exact) time.textContent = exact;
        if (time.dataset.distance !== text) time.dataset.distance = text;
    }
}

/** What a cell is sorted by: its time, the number with which its text begins, or the text. */
function keyOf(row, index) {
    const cell = row.cells[index], time = cell.querySelector('[data-time]'), text = cell.textContent.trim();
    return time ? Date.parse(time.dataset.time) : /^[\d.]+( |$)/.test(text) ? parseFloat(text) : text;
}

const chosen = new Map();

function sort() {
    for (const [table, { index, sign }] of chosen) {
        const [body] = table.tBodies, rows = [...body.rows], compare = (a, b) => typeof a === typeof b && typeof a === 'number' ? a - b : String(a).localeCompare(b);
        const sorted = rows.toSorted((a, b) => sign * compare(keyOf(a, index), keyOf(b, index)));
        if (sorted.some((row, index) => row !== rows[index])) body.append(...sorted);
    }
}

for (const heading of all('table.sorted th[aria-sort]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
        const isDescending = heading.ariaSort === 'ascending', table = heading.closest('table');
        for (const other of all('th[aria-sort]', table)) other.ariaSort = 'none';
        heading.ariaSort = isDescending ? 'descending' : 'ascending';
        chosen.set(table, { index: heading.cellIndex, sign: isDescending ? -1 : 1 });
        sort();
    });
}

function show() {
    showTimes();
    sort();
}
new MutationObserver(show).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true });
setInterval(show, 10_000);
show();
