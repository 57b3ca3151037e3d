// SPDX-License-Identifier: Apache-2.0
// Reports names in the HTML that the server does not declare, with the closest one: in the console, to the inspector, and with --dev in the log.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const attributes = ['alert attribute blur busy cancel change choices click confirm confirmation declaration delay ended error errors event expired file if input',
    'key list live load local login lost maximum minimum notice number offline page pages pending repeat reset row rows secret server',
    'shown text texts timeout user wrong'].join(' ')
    .split(/\s+/).map(name => 'data-us-' + name);
const { usServer } = all('script[data-us-server]')[0]?.dataset ?? {};
const prefix = all('[data-inspector]')[0]?.dataset.prefix ?? '/';
const server = new URL((usServer ?? prefix).replace(/\/?$/, '/'), location);

/** How many characters differ (Levenshtein). */
function distance(a, b) {
    let row = [...b, ''].map((_, index) => index);
    for (const [line, letter] of [...a].entries()) {
        let left = row[0]++, above;
        for (let column = 1; column < row.length; column++) {
            above = row[column];
            row[column] = Math.min(row[column] + 1, row[column - 1] + 1, left + (b[column - 1] === letter ? 0 : 1));
            left = above;
        }
    }
    return row.at(-1);
}

function closest(name, names) {
    const best = names.map(known => [distance(name.toLowerCase(), known.toLowerCase()), known]).sort(([a], [b]) => a - b)[0];
    return best && best[0] <= Math.max(2, name.length / 3) ? ` Did you mean '${best[1]}'?` : names.length ? ` There is: ${names.join(', ')}.` : '';
}

const reported = new Set();

function report(element, text) {
    if (reported.has(text)) return;
    reported.add(text);
    console.warn('Understudy:', text, element);
    document.dispatchEvent(new CustomEvent('inspector:warning', { detail: { text, element } }));
    const { inspector } = all('[data-inspector]')[0]?.dataset ?? {};
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ warning: text }) };
    if (inspector) fetch(inspector, options).catch(() => {});
}

function check(element, kind, name, names, of) {
    if (name && !names.includes(name)) report(element, `${of} has no ${kind} '${name}'.${closest(name, names)}`);
}

const declarations = {};

/** What a page declares; `undefined` if there is no such page. */
async function declaration(page) {
    const [block] = all('[data-us-declaration]'), shown = block && JSON.parse(block.textContent);
    if (shown?.page === page) return shown;
    const response = await fetch(new URL(page, server), { headers: { Accept: 'application/json' } });
    return response.ok ? response.json() : undefined;
}

async function checkPage(root) {
    const page = root.dataset.usPage, url = new URL(root.getAttribute('action') || page, server);
    if (url.origin !== server.origin) return;
    const declared = await (declarations[page] ??= declaration(page));
    if (!declared?.events) {
        const { pages = [] } = await (await fetch(server, { headers: { Accept: 'application/json' } })).json();
        return check(root, 'page', page, pages.map(({ name }) => name), 'The server');
    }
    const of = `The page '${page}'`, own = element => element.closest('[data-us-page]') === root;
    const events = declared.events.map(({ event }) => event), fields = declared.fields.map(({ name }) => name);
    const locals = all(`[data-us-page="${CSS.escape(page)}"] [data-us-local]`).map(control => control.dataset.usLocal);
    const outputs = [...declared.outputs.map(({ key }) => key), ...locals];
    const isField = (element, path) => check(element, 'field', path.split('.')[0], fields, of);
    if (root.localName === 'form') checkForm(root, declared, of);
    for (const element of [root, ...all('*', root)].filter(own)) {
        const { localName, name = '', form, value } = element;
        for (const { name, value } of element.attributes) {
            const kind = name.match(/^data-us-(change|input|blur|click|event|load)$/);
            if (kind) check(element, 'event', value, events, of);
            else if (name.startsWith('data-us-value-')) check(element, 'field', name.slice(14), fields.map(field => field.toLowerCase()), of);
            else if (name === 'data-us-error' || name === 'data-us-rows') isField(element, value);
            else if (name.startsWith('data-us-')) check(element, 'attribute', name, attributes, 'The module');
        }
        for (const target of targetsOf(element)) {
            if (target.includes('.') && !target.startsWith('class.')) check(element, 'target', target, ['class.' + target.split('.').slice(1).join('.')], 'The module');
        }
        if (localName === 'button' && name === 'event') check(element, 'event', value, events, of);
        else if (/^(input|select|textarea)$/.test(localName) && form && /^(?!event$)[^_]/.test(name)) isField(element, name);
        if (element.parentElement?.closest('[data-us-list]')) continue;
        for (const key of keysOf(element)) check(element, 'output', key, outputs, of);
        const path = element.dataset.usList, output = declared.outputs.find(({ key }) => key === path?.split('.')[0]);
        if (path && output) checkItems(element, schemaAt(output.schema, path.split('.').slice(1)), `An item of '${path}'`);
    }
}

/** A form that is sent without the module must post, and one whose event reads a secret must have it, because no session keeps secrets. */
function checkForm(form, { events }, of) {
    if (form.getAttribute('method')?.toLowerCase() !== 'post') report(form, `${of} has a form without method="post": without JavaScript, it sends no event.`);
    const name = form.dataset.usEvent, { secret = [] } = events.find(({ event }) => event === name) ?? {};
    const names = [...form.elements].map(control => control.name.split('.')[0]);
    for (const field of secret) {
        if (!names.includes(field)) report(form, `${of} has a form for the event '${name}' without the field '${field}', which is secret: it cannot work.`);
    }
}

/** The schema of a member of an object; `undefined` if it is not known. */
const schemaAt = (schema, path) => path.reduce((schema, name) => schema?.properties?.[name], schema);

/** The templates of a list are bound to the members of its items. */
function checkItems(list, schema, of) {
    const items = schema?.items, members = Object.keys(items?.properties ?? {});
    if (!members.length) return;
    for (const template of all(':scope > template', list)) {
        for (const element of all('*', template.content)) {
            const parent = element.parentElement?.closest('[data-us-list]');
            if (parent) continue;
            for (const key of keysOf(element)) check(element, 'member', key, members, of);
            const path = element.dataset.usList;
            if (path) checkItems(element, schemaAt(items, path.split('.')), `An item of '${path}'`);
        }
    }
}

const targetsOf = ({ dataset: { usAttribute = '' } }) => [...usAttribute.matchAll(/([^\s,:]+):/g)].map(match => match[1]);

/** The outputs, or the members of an item, to which an element is bound. */
export function keysOf(element) {
    const { usText = '', usList = '', usIf = '', usAttribute = '' } = element.dataset;
    const paths = [...`text:${usText},list:${usList},if:${usIf},${usAttribute}`.matchAll(/[^\s,:]+:\s*!?([^\s,]+)/g)].map(match => match[1]);
    return paths.flatMap(path => path.match(/(?<=\{)[^}]+/g) ?? path).map(path => path.split('.')[0]).filter(Boolean);
}

let isPlanned;
const plan = () => {
    if (isPlanned) return;
    isPlanned = setTimeout(async () => {
        isPlanned = false;
        for (const root of all('[data-us-page]')) await checkPage(root).catch(() => {});
    }, 100);
};

if (globalThis.MutationObserver) {
    plan();
    new MutationObserver(changes => changes.some(({ target }) => !target.closest?.('[data-inspector]')) && plan())
        .observe(document, { childList: true, subtree: true });
}
