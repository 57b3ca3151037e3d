// SPDX-License-Identifier: Apache-2.0
// What the pages with a password do besides their events.

// Shows times as people write them where they are.
const showTimes = () => {
    for (const time of document.querySelectorAll('[data-time]')) {
        const date = new Date(time.dataset.time);
        const text = isNaN(date) ? '' : date.toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
        // The observer hears of this change as well.
        if (text && time.textContent !== text) time.textContent = text;
    }
};
new MutationObserver(showTimes).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true });
showTimes();

// Shows and hides what is typed.
for (const button of document.querySelectorAll('.reveal > button')) {
    const input = document.getElementById(button.getAttribute('aria-controls'));
    button.addEventListener('click', () => {
        const isShown = input.type === 'password';
        input.type = isShown ? 'text' : 'password';
        button.setAttribute('aria-pressed', isShown);
    });
}

// After a sign-up, the page shows the next step instead of the form.
document.addEventListener('understudy:showAlert', ({ detail: { code } }) => {
    const dialog = document.querySelector('[data-us-alert]');
    if (code === 'signup.successful') dialog.addEventListener('close', () => location.reload(), { once: true });
});

// Another code replaces the one that was typed.
document.addEventListener('understudy:answer', ({ target: { value, form } }) => {
    if (value === 'sendCodeButtonPressed' && form?.elements.code) form.elements.code.value = '';
});
