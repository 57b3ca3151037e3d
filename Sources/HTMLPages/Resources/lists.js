// SPDX-License-Identifier: Apache-2.0
// What pages with lists do besides their events: codes that can be copied, and the focus.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
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

new MutationObserver(addCopyButtons).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true });
addCopyButtons();

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

// Recovery codes are shown once, and the form of an app comes before the button that shows it, so that they get the attention.
document.addEventListener('understudy:render', ({ detail: { values } }) => {
    const shown = values.recoveryCodes?.length ? '[data-us-list=recoveryCodes]' : values.appSecret && '[data-us-text=appSecret]';
    if (!shown) return;
    const heading = headingOf(document.querySelector(shown));
    heading.tabIndex = -1;
    heading.focus();
});
