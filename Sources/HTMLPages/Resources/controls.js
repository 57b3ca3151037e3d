// SPDX-License-Identifier: Apache-2.0
// What the bundled pages with forms do besides their events.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const forms = all('main form');

// MARK: What is wrong

/** The element with the message about a control. */
const errorOf = control => document.getElementById((control.getAttribute('aria-describedby') ?? '').split(' ').at(-1));
/** The controls whose message is that of the browser. */
const checked = new Set();

const setError = (control, message) => {
    errorOf(control).textContent = message;
    checked[message ? 'add' : 'delete'](control);
    message ? control.setAttribute('aria-invalid', true) : control.removeAttribute('aria-invalid');
};

/** Lists the messages about the controls of a form, with links to these. */
const summarise = form => {
    const wrong = all('[aria-invalid=true]', form).filter(control => errorOf(control)?.textContent);
    const nameOf = control => [control.closest('fieldset')?.querySelector('legend'), control.labels[0]].map(label => label?.textContent.trim()).filter(Boolean).join(', ');
    const texts = wrong.map(control => `${nameOf(control)}: ${errorOf(control).textContent}`);
    const old = form.querySelector('.summary');
    if (texts.join() === (old?.dataset.texts ?? '')) return;
    old?.remove();
    if (!texts.length) return;
    const list = document.createElement('ul');
    list.className = 'summary';
    list.dataset.texts = texts.join();
    wrong.forEach((control, index) => {
        const [item, link] = ['li', 'a'].map(name => document.createElement(name));
        link.href = '#' + control.id;
        link.textContent = texts[index];
        link.onclick = () => setTimeout(() => control.focus());
        item.append(link);
        list.append(item);
    });
    form.querySelector(':scope > fieldset, .field').before(list);
};

const update = () => forms.forEach(summarise);
new MutationObserver(update).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true, attributeFilter: ['aria-invalid'] });
update();

// The messages of the browser are next to the controls, and not in front of the page.
for (const form of forms) form.noValidate = true;

document.addEventListener('submit', event => {
    const { target: form, submitter } = event;
    if (!forms.includes(form)) return;
    for (const name of all('[autocomplete~=username]', form)) name.value = name.value.trim();
    const controls = [...form.elements], wrong = controls.filter(({ validity }) => !submitter?.formNoValidate && validity?.valid === false);
    for (const control of controls) if (checked.has(control)) setError(control, '');
    if (!wrong.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!wrong.every(errorOf)) return form.reportValidity();
    for (const control of wrong) setError(control, control.validationMessage);
    wrong[0].focus();
}, true);

document.addEventListener('input', ({ target }) => {
    if (checked.has(target) && target.validity.valid) setError(target, '');
});

// MARK: Answers

/** The fields with a message of the last answer, by its code. */
let fields = {};

document.addEventListener('understudy:answer', ({ target, detail: { commands, errors = [] } }) => {
    // The words for people instead of those of an article.
    for (const message of [...commands, ...errors]) {
        const [words] = message.code ? all(`[data-message="${CSS.escape(message.code)}"]`) : [];
        if (words) message.message = words.content.textContent;
    }
    fields = Object.fromEntries(errors.map(({ code, field }) => [code, field]));
    // What the browser says about a control stays if the answer is about another one.
    setTimeout(() => checked.forEach(control => control.validity.valid || setError(control, control.validationMessage)));
    // Another code replaces the one that was typed.
    if (target.value === 'sendCodeButtonPressed' && target.form?.elements.code) target.form.elements.code.value = '';
});

document.addEventListener('understudy:showAlert', event => {
    const { code } = event.detail;
    // It is next to its field.
    if (fields[code]) event.preventDefault();
    // What the page says does not contradict it afterwards.
    for (const notice of all('main form > .notice[data-us-wrong]')) notice.textContent = event.detail.message;
    // After a sign-up, the page shows the next step instead of the form.
    if (code !== 'signup.successful') return;
    event.preventDefault();
    location.reload();
});

// Shows and hides what is typed.
for (const button of all('.reveal > button')) {
    const input = document.getElementById(button.getAttribute('aria-controls'));
    button.addEventListener('click', () => {
        const isShown = input.type === 'password';
        input.type = isShown ? 'text' : 'password';
        button.setAttribute('aria-pressed', isShown);
    });
}
