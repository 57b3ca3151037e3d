// SPDX-License-Identifier: Apache-2.0
// Shows the events that a page sends, and the commands in the responses, in the panel of the page.

const panel = document.querySelector('[data-panel]');
const log = panel?.querySelector('[data-panel-log]');
const curl = panel?.querySelector('[data-panel-curl]');
let isEmpty = true;

/** Adds a line. Texts are never HTML. */
function add(kind, text) {
    if (isEmpty) log.textContent = '';
    isEmpty = false;
    const item = log.appendChild(document.createElement('li'));
    item.className = kind;
    item.textContent = text;
    if (log.children.length > 30) log.firstElementChild.remove();
}

const quote = text => `'${String(text).replaceAll("'", `'\\''`)}'`;

if (panel) {
    document.addEventListener('understudy:event', ({ detail: { event, values, secrets, url } }) => {
        const isSecret = name => secrets.includes(name) || secrets.includes(name.split('.')[0]);
        const shown = Object.entries(values).map(([name, value]) => [name, isSecret(name) ? '•••' : value]);
        add('event', `→ ${event} ${JSON.stringify(Object.fromEntries(shown))}`);
        // Encoded, because control characters would act on the terminal before the shell reads the line.
        const texts = Object.entries({ event, ...values }).flatMap(([name, value]) => [value].flat().map(text => [name, text]));
        const fields = texts.map(([name, text]) => isSecret(name)
            ? ` --data-urlencode ${quote(name + '=…')}` : ` -d ${quote(new URLSearchParams({ [name]: text }))}`);
        curl.textContent = `curl -c jar -b jar${fields.join('')} ${quote(url)}`;
    });
    document.addEventListener('understudy:answer', ({ detail: { commands } }) => {
        for (const { command, key, value, name, message, values } of commands) {
            const text = { render: () => `${key} = ${JSON.stringify(value)}`, showAlert: () => message, goToPage: () => [name, JSON.stringify(values)].join(' ') };
            add('command', `← ${command} ${text[command]?.() ?? ''}`);
        }
    });
    document.addEventListener('understudy:problem', ({ detail }) => add('problem', `← ${detail?.status ?? ''} ${detail?.code ?? ''}`));
}
