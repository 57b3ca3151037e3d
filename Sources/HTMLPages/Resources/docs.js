// SPDX-License-Identifier: Apache-2.0
// What the page /docs does besides showing the document.

const contents = document.querySelector('.contents');
const toggle = document.querySelector('.toggle');
const target = link => link?.getAttribute('href').slice(1);
const schemas = contents.querySelector('[href="#schemas"]').parentElement.appendChild(document.createElement('ul'));
for (const { id } of document.querySelectorAll('[id^=schema-]')) {
    const link = schemas.appendChild(document.createElement('li')).appendChild(document.createElement('a'));
    [link.href, link.textContent] = ['#' + id, id.slice(7)];
}
const links = new Map([...contents.querySelectorAll('a')].map(link => [target(link), link]));

// Marks the part that is read: the last one that begins in the upper quarter of the window, or above it.
const parts = [...document.querySelectorAll('article [id]')].filter(part => links.has(part.id));
let current;

function mark() {
    let part;
    for (const next of parts) {
        if (!next.checkVisibility()) continue;
        if (next.getBoundingClientRect().top > innerHeight / 4) break;
        part = next;
    }
    const link = links.get(part?.id);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current = link;
    link?.setAttribute('aria-current', 'location');
    // Without scrollIntoView, which would also scroll the page.
    const box = link?.getBoundingClientRect(), frame = contents.getBoundingClientRect();
    if (box && (box.top < frame.top || box.bottom > frame.bottom)) contents.scrollTop += box.top - frame.top - frame.height / 3;
}

let isWaiting = false;
addEventListener('scroll', () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; mark(); });
}, { passive: true });

const copy = document.getElementById('copy').content.firstElementChild;
for (const code of document.querySelectorAll('.request pre > code')) {
    code.textContent = code.textContent.replaceAll('http://localhost:8080', location.origin);
    code.after(document.importNode(copy, true));
}
addEventListener('click', async ({ target }) => {
    const button = target.closest('.copy');
    if (!button) return;
    const code = button.previousElementSibling;
    try {
        await navigator.clipboard.writeText(code.textContent);
    } catch {
        getSelection().selectAllChildren(code);
        document.execCommand('copy');
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => button.textContent = copy.textContent, 3000);
});

/** The form that sends a request of the operation, with the values of the sample that is open. */
function prepare(operation, form) {
    const [, method, path] = operation.querySelector('.endpoint').textContent.trim().match(/^(\S+)\s+(\S+)/);
    const parts = sample => sample.querySelector('code').textContent.match(/(?: --json '([^]*)')? (\S+)$/);
    const [, body, url] = parts(operation.querySelector('.sample[open]') ?? operation.querySelector('.request > :is(.sample, pre)'));
    const sample = new URL(url, location).pathname.slice(form.dataset.prefix.length).split('/');
    const show = body => { form.elements.body.value = JSON.stringify(JSON.parse(body.replaceAll("'\\''", "'")), null, 4); };
    const fields = [...operation.querySelectorAll('.parameters dt, .headers a')].map(term => {
        const label = document.createElement('label');
        const input = document.createElement('input');
        const [name = term.textContent, place = 'header'] = [...term.querySelectorAll('code, span')].map(part => part.textContent);
        label.className = 'field';
        label.append(name, input);
        input.value = place === 'path' ? decodeURIComponent(sample[path.split('/').indexOf(`{${name}}`)]) : '';
        input.required = place === 'path';
        return { name, place, input, label };
    });
    const labels = isHeader => fields.filter(({ place }) => (place === 'header') === isHeader).map(({ label }) => label);
    form.prepend(...labels(false));
    form.querySelector('button').before(...labels(true));
    if (body) {
        show(body);
        for (const sample of operation.querySelectorAll('.sample')) sample.addEventListener('toggle', () => sample.open && show(parts(sample)[1]));
    } else form.elements.body.parentElement.remove();
    form.addEventListener('submit', event => {
        event.preventDefault();
        const query = new URLSearchParams();
        const headers = body ? [['Content-Type', 'application/json']] : [];
        let address = path;
        for (const { name, place, input: { value } } of fields) {
            if (place === 'path') address = address.replace(`{${name}}`, () => encodeURIComponent(value));
            else if (value && place === 'query') query.set(name, value);
            else if (value) headers.push([name, value]);
        }
        if (query.size) address += `?${query}`;
        send(form, form.dataset.prefix + address, { method, headers, body: form.elements.body?.value, cache: 'no-store' });
    });
}

/** Sends the request, and shows the response. A text of the server never becomes HTML. */
async function send(form, url, options) {
    const [button, status, output] = [form.querySelector('button'), form.querySelector('[role=status]'), form.querySelector('pre')];
    if (button.ariaDisabled) return;
    button.ariaDisabled = true;
    status.textContent = '…';
    output.hidden = true;
    try {
        const response = await fetch(url, options);
        const text = await response.text();
        const isJSON = /^application\/(\S+\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
        status.textContent = `${response.status} ${response.statusText}`;
        const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
        output.textContent = `${headers}\n${isJSON ? JSON.stringify(JSON.parse(text), null, 4) : text}`;
        output.hidden = false;
    } catch {
        status.textContent = form.dataset.failed;
    }
    button.ariaDisabled = null;
}

const template = document.getElementById('try');
for (const operation of document.querySelectorAll('.operation')) {
    operation.querySelector('.endpoint').after(template.content.cloneNode(true));
    for (const sample of operation.querySelectorAll('.sample')) sample.name = `sample-${operation.id}`;
    const details = operation.querySelector('.try');
    details.addEventListener('toggle', () => prepare(operation, details.querySelector('form')), { once: true });
}

const search = contents.querySelector('[type=search]');
const status = contents.querySelector('[role=status]');
const entries = [...document.querySelectorAll('.operation, article details:not(.sample, .try)')];
const sections = [...document.querySelectorAll('article > section, .page')];
const rows = [...contents.querySelectorAll('li li')];
const texts = new Map();

/** What a search finds an operation, an error or a schema by: everything but the names of errors and the samples, which many share. */
function text(entry) {
    if (!texts.has(entry)) {
        const copy = entry.cloneNode(true);
        for (const part of copy.querySelectorAll('.errors, .sample, .request > pre, .try')) part.remove();
        texts.set(entry, `${entry.id} ${copy.textContent}`.toLowerCase());
    }
    return texts.get(entry);
}

/** Shows what contains all words of the search. */
function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const part = document.getElementById(target(current));
    for (const entry of entries) {
        entry.hidden = !words.every(word => text(entry).includes(word));
        const link = links.get(entry.id || entry.querySelector('[id]').id);
        if (link) link.hidden = entry.hidden;
    }
    for (const row of rows) row.hidden = !row.querySelector('a:not([hidden])');
    for (const section of sections) {
        section.hidden = !entries.some(entry => !entry.hidden && section.contains(entry));
        const link = links.get(section.id);
        if (link) link.parentElement.hidden = section.hidden && !link.parentElement.querySelector('li a:not([hidden])');
    }
    document.querySelector('.overview').hidden = words.length > 0;
    status.textContent = words.length ? `${status.dataset.matches}: ${entries.filter(entry => !entry.hidden).length}${status.dataset.escape}` : '';
    if (words.length) scrollTo(0, Math.min(scrollY, contents.closest('.docs').offsetTop));
    else part?.scrollIntoView();
    mark();
}

function clear() {
    search.value = '';
    filter();
}

search.addEventListener('input', filter);
search.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
        event.preventDefault();
        clear();
    } else if (event.key === 'Enter') {
        contents.querySelector('li:not([hidden]) li a:not([hidden])')?.click();
    }
});
addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    toggle.open = true;
    search.focus();
});

// Not every browser opens the part to which a link leads. And it may be hidden by a search.
function reveal() {
    const part = document.querySelector(':target');
    part?.closest('details')?.setAttribute('open', '');
    if (part?.closest('[hidden]')) {
        clear();
        part.scrollIntoView();
    }
    mark();
}
addEventListener('hashchange', reveal);
reveal();

// On a narrow window, the contents cover what they lead to.
contents.addEventListener('click', event => { if (event.target.closest('a')) toggle.open = false; });
