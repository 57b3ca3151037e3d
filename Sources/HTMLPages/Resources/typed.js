// Follows controls.js in the same file. Keeps what a person has typed, for the way back.
{
    const { usUser } = document.head.querySelector('[data-us-declaration]')?.dataset ?? {};
    const key = 'typed ' + location.pathname;
    const isChoice = ({ type }) => /checkbox|radio/.test(type);
    /** The controls whose values no event has sent. */
    const unsent = new Set();

    document.addEventListener('input', ({ target }) => {
        // Never store secrets.
        if (target.name && forms.includes(target.form) && !target.matches('[type=password], [data-us-secret], [autocomplete=one-time-code]')) unsent.add(target);
    });
    document.addEventListener('understudy:answer', ({ target }) => {
        for (const control of target.type === 'submit' ? target.form.elements : target.elements ?? [target]) unsent.delete(control);
    });
    addEventListener('pagehide', () => {
        const typed = [...unsent].map(({ form, name, value, checked }) => [forms.indexOf(form), name, value, checked]);
        sessionStorage[key] = JSON.stringify({ usUser, typed });
    });

    // The person has come back, or loads the page again.
    const kept = JSON.parse(sessionStorage[key] ?? '{}');
    if (kept.usUser === usUser && performance.getEntriesByType('navigation')[0]?.type !== 'navigate') {
        for (const [form, name, value, checked] of kept.typed ?? []) {
            for (const control of all(`[name="${CSS.escape(name)}"]`, forms[form])) {
                if (!isChoice(control)) control.value = value;
                else if (control.value === value) control.checked = checked;
                unsent.add(control);
            }
        }
    }
}
