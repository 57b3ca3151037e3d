// SPDX-License-Identifier: Apache-2.0
// What pages with lists do besides their events: times as people write them, codes that can be copied, and the focus.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const { lang } = document.documentElement;

const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
const ago = seconds => {
    const [unit, length] = [['day', 86400], ['hour', 3600], ['minute', 60]].find(([, length]) => seconds >= length) ?? ['second', 1];
    return relative.format(-Math.floor(seconds / length), unit);
};

const showTimes = () => {
    for (const time of all('[data-time]')) {
        const date = new Date(time.dataset.time);
        if (isNaN(date)) continue;
        const text = 'relative' in time.dataset ? ago(Math.max(0, Date.now() - date) / 1000)
            : date.toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' });
        // The observer hears of this change as well.
        if (time.textContent !== text) time.textContent = text;
    }
};

/** Adds a button that copies to each code. */
const addCopyButtons = () => {
    // Only in a secure context.
    for (const code of navigator.clipboard ? all('[data-copy]') : []) {
        const lines = code.children.length ? [...code.children].filter(line => line.localName !== 'template') : [code];
        const text = lines.map(line => line.textContent).join('\n');
        let button = code.nextElementSibling;
        if (!button?.matches('.copy')) {
            if (!text) continue;
            const { copyLabel, copiedLabel } = code.closest('[data-copy-label]').dataset;
            button = document.createElement('button');
            Object.assign(button, { type: 'button', className: 'plain copy', textContent: copyLabel });
            button.addEventListener('click', async () => {
                await navigator.clipboard.writeText(button.dataset.text);
                document.querySelector('[data-us-live]').textContent = copiedLabel;
            });
            code.after(button);
        }
        if (button.dataset.text !== text) button.dataset.text = text;
        if (button.hidden !== !text) button.hidden = !text;
    }
};

const update = () => {
    showTimes();
    addCopyButtons();
};
new MutationObserver(update).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true, attributeFilter: ['data-time'] });
update();

const headingOf = element => element.closest('section').querySelector('h2');

// The focus stays in the list from which the person has removed something.
let list, index;
document.addEventListener('click', ({ target }) => {
    const row = target.closest('[data-us-list] > li');
    if (row) [list, index] = [row.parentElement, [...row.parentElement.children].indexOf(row)];
}, true);
document.addEventListener('understudy:answer', () => setTimeout(() => {
    if (!list || document.activeElement !== document.body) return;
    const buttons = all('button:not([hidden], :disabled)', list), heading = headingOf(list);
    heading.tabIndex = -1;
    (buttons[Math.min(index, buttons.length) - 1] ?? heading).focus();
}));

// Recovery codes are shown once, so that they get the attention.
document.addEventListener('understudy:render', ({ detail: { values } }) => {
    if (values.recoveryCodes?.length) headingOf(document.querySelector('[data-us-list=recoveryCodes]')).focus();
});
