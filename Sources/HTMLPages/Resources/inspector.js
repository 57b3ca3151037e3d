// SPDX-License-Identifier: Apache-2.0
// The inspector: the events of a page, what they change, and switches for the network. It uses the service's endpoints as any client.

import { keysOf } from './names.js';

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const attempt = value => { try { return value(); } catch {} };
const quote = text => `'${String(text).replaceAll("'", `'\\''`)}'`;
const hidden = '•••';

/**
 * The command for a POSIX shell that sends an event. A token continues the session of the page.
 *
 * Values are encoded, because control characters would act on the terminal before the shell reads the line.
 */
export function curlCommand({ event, values, url }, token) {
    const texts = Object.entries({ event, ...values }).flatMap(([name, value]) => [value].flat().map(text => [name, text]));
    const fields = texts.map(([name, text]) => text === hidden
        ? ` --data-urlencode ${quote(name + '=…')}` : ` -d ${quote(new URLSearchParams({ [name]: text }))}`);
    const session = token ? `-H 'Authorization: Bearer ${token}'` : '-c jar -b jar';
    return `curl ${session}${fields.join('')} ${quote(url)}`;
}

/** The members that differ, by their paths. */
export function differences(before, after, path = '') {
    const isObject = value => value && typeof value === 'object' && !Array.isArray(value);
    if (before === undefined && isObject(after)) before = {};
    if (!isObject(before) || !isObject(after)) {
        return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
    }
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .flatMap(name => differences(before[name], after[name], path ? `${path}.${name}` : name));
}

/** What a snapshot of a session contains of its pages and values. */
export function contentOf(snapshot) {
    const { pages = [], values = {}, user } = attempt(() => JSON.parse(snapshot)) ?? {};
    const states = pages.map(({ page, state }) => [page, attempt(() => JSON.parse(state)) ?? state]);
    return { state: Object.fromEntries(states), session: values, ...user && { user: user.username } };
}

const drawer = document.querySelector('[data-inspector]');
if (drawer) inspect(drawer.dataset);

function inspect({ inspector: sessionURL, prefix }) {
    const part = name => drawer.querySelector(`[data-of=${name}]`);
    const texts = part('texts').dataset, send = window.fetch.bind(window);
    const server = new URL(prefix, location), kept = attempt(() => JSON.parse(sessionStorage[drawer.localName + server])) ?? {};
    const declared = attempt(() => JSON.parse(all('[data-us-declaration]')[0].textContent));
    const { entries = [], rendered = {}, network = {} } = kept;
    const sent = new Map(), marked = new Set();
    let { session, sequence = 0 } = kept, token, running = 0, step = null, selected = null, module;

    // MARK: What is kept when the page changes

    function keep() {
        for (let shown = entries.length; shown >= 0; shown = shown ? shown >> 1 : -1) {
            const last = entries.slice(entries.length - shown);
            try {
                sessionStorage[drawer.localName + server] = JSON.stringify({ isOpen: isOpen(), entries: last, rendered, network, session, sequence });
                return;
            } catch {
                // The storage is full: half of the entries are enough.
            }
        }
    }

    // MARK: Requests

    const isOpen = () => part('drawer').open;
    const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

    /** A request of the page, on the network that the switches describe. */
    async function onNetwork(request) {
        if (network.delay) await sleep(network.delay);
        if (network.isOffline) throw new TypeError('The inspector is offline.');
        const problem = { status: 503, code: 'unavailable', title: 'The inspector lets requests fail' };
        if (network.fails) return new Response(JSON.stringify(problem), { status: 503, headers: { 'Content-Type': 'application/problem+json' } });
        return request();
    }

    /** What the switches do to requests is said in the drawer's title, also while it is closed. */
    function drawFault() {
        const names = all('[data-network]', drawer).filter(({ type, checked, value }) => type === 'checkbox' ? checked : value !== '0')
            .map(control => control.type === 'checkbox' ? control.parentElement.textContent.trim() : control.selectedOptions[0].text);
        part('fault').textContent = names.join(', ');
    }

    document.addEventListener('understudy:event', ({ detail }) => {
        sent.set(detail.key, detail);
        // A repeated request is one of the last ones.
        if (sent.size > 100) sent.delete(sent.keys().next().value);
    });

    window.fetch = (input, options = {}) => {
        const event = options.body instanceof URLSearchParams && options.body.get('event');
        const request = () => onNetwork(() => send(input, options));
        if (!event || options.method !== 'POST') return request();
        const values = {};
        for (const [name, text] of options.body) {
            if (name !== 'event') values[name] = name in values ? [values[name], text].flat() : text;
        }
        const { page, secrets } = sent.get(options.headers?.['Idempotency-Key']) ?? {};
        return watch({ page: page ?? pageAt(input), event, values, secrets: secrets ?? [], url: String(new URL(input, location)) }, request);
    };

    const pageAt = url => decodeURIComponent(new URL(url, location).pathname.slice(server.pathname.length));

    /** Sends an event, and adds it to the log. */
    async function watch({ page, event, values, secrets, url }, request) {
        const isSecret = name => secrets.some(secret => [name, name.split('.')[0]].includes(secret)) || /password/i.test(name);
        const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isSecret(name) ? hidden : value]));
        const entry = { page, event, values: shown, url, at: Date.now(), commands: [] };
        entries.push(entry);
        if (entries.length > 100) entries.shift();
        running++;
        draw();
        const start = performance.now();
        const end = async answer => {
            entry.duration = Math.round(performance.now() - start);
            Object.assign(entry, answer);
            await finish(entry);
            running--;
            plan();
        };
        try {
            const response = await request();
            answerOf(response.clone()).then(end, error => end({ problem: String(error) }));
            return response;
        } catch (error) {
            end({ problem: String(error.message ?? error) });
            throw error;
        }
    }

    async function answerOf(response) {
        const text = await response.text(), isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
        const data = isStream ? text.match(/event: (?:answer|problem)\n(?:.*\n)*?data: (.+)/)?.[1] : text;
        const { status = response.status, code, detail, title, sequence, commands = [] } = attempt(() => JSON.parse(data)) ?? {};
        return { status, sequence, commands, ...code && { problem: [code, detail ?? title].filter(Boolean).join(': ') } };
    }

    async function finish(entry) {
        const before = structuredClone(rendered[entry.page] ?? {});
        for (const { command, page, key, value } of entry.commands) {
            if (command === 'render') (rendered[page] ??= {})[key] = value;
        }
        sequence = Math.max(sequence, entry.sequence ?? 0);
        entry.before = before;
        entry.after = structuredClone(rendered[entry.page] ?? {});
        entry.form = formState();
        const changes = differences(before, entry.after).map(change => ({ of: 'screen', ...change }));
        await readSession(entry, changes);
        entry.changes = changes;
        if (step !== null) {
            step = null;
            await paint(rendered[declared?.page]);
        }
        draw();
        keep();
    }

    /** Reads what the session stores. */
    async function readSession(entry, changes = []) {
        const response = sessionURL && isOpen() && await send(sessionURL).catch(() => {});
        if (!response?.ok) return token = undefined;
        const { token: current, snapshot, seal } = await response.json(), content = contentOf(snapshot);
        token = current;
        if (entry) {
            if (session) changes.push(...differences(session, content).map(({ path, ...change }) => ({ of: path.split('.')[0], path: path.replace(/^[^.]*\.?/, ''), ...change })));
            entry.fork = { snapshot, seal };
        }
        session = content;
    }

    /** Adds the commands of updates, other tabs, and events that a page sends without the module. */
    async function catchUp() {
        if (running || !isOpen()) return;
        const response = await send(new URL('session/history?since=' + sequence, server)).catch(() => {});
        if (!response?.ok || running) return;
        const body = await response.json(), pages = Map.groupBy(body.commands, ({ page }) => page);
        sequence = body.sequence;
        for (const [page, commands] of pages) {
            const entry = { page, at: Date.now(), commands, sequence: commands.at(-1).sequence };
            entries.push(entry);
            await finish(entry);
        }
    }

    let planned;
    const plan = () => {
        clearTimeout(planned);
        planned = setTimeout(catchUp, 200);
    };
    document.addEventListener('understudy:render', plan);

    // MARK: The log

    /** A copy of a template of the drawer, with texts for its parts. Texts are never HTML. */
    function made(name, parts) {
        const item = document.importNode(drawer.querySelector(`template[data-of=${name}]`).content.firstElementChild, true);
        for (const [of, text] of Object.entries(parts)) {
            const element = item.querySelector(`[data-of=${of}]`);
            if (text === undefined || text === '') element.remove();
            else element.textContent = text;
        }
        return item;
    }

    const json = value => value === undefined ? '–' : JSON.stringify(value);
    const textOf = ({ command, key, value, message, name, values }) => ({
        render: () => `${key} = ${json(value)}`, showAlert: () => message, goToPage: () => [name, values && json(values)].filter(Boolean).join(' '),
    })[command]?.() ?? '';

    const isFound = ({ page, event = texts.other, status, problem, values, commands }) => {
        const text = [page, event, status, problem, json(values), ...commands.map(command => command.command + ' ' + textOf(command))].join(' ').toLowerCase();
        return part('filter').value.toLowerCase().split(/\s+/).every(word => text.includes(word));
    };

    /** The newest entries first. Until the person selects one, the newest is shown in detail. */
    function draw() {
        const found = entries.filter(isFound).reverse();
        if (!entries.includes(selected)) selected = null;
        part('empty').hidden = entries.length > 0;
        const focus = all('button', part('log')).indexOf(document.activeElement);
        const shown = found.includes(selected) ? selected : found[0];
        part('log').replaceChildren(...found.map(entry => drawEntry(entry, entry === shown)));
        if (focus >= 0) all('button', part('log'))[Math.min(focus, found.length - 1)]?.focus();
        drawDetail(shown);
        drawSteps();
    }

    function drawEntry(entry, isShown) {
        const { page, event, status, duration, sequence, at } = entry;
        const time = new Date(at).toLocaleTimeString(document.documentElement.lang);
        const item = made('entry', {
            event: event ?? texts.other, page,
            facts: [sequence && '#' + sequence, status ?? (event && duration === undefined ? '…' : ''), duration !== undefined && duration + ' ms', time].filter(Boolean).join(' · '),
        }), [button] = all('button', item);
        if (isShown) button.ariaCurrent = 'true';
        if (entry.problem) item.className = 'problem';
        button.onclick = () => {
            selected = entry === entries.at(-1) ? null : entry;
            draw();
        };
        return item;
    }

    let drawn;

    /** The event with its commands, what the page and the session contain after it, or what it has changed. */
    function drawDetail(entry) {
        const tab = all('[name=inspector-tab]', drawer).find(({ checked }) => checked).value, changes = entry?.changes ?? [];
        part('detail').hidden = !entry;
        part('count').textContent = changes.length ? `(${changes.length})` : '';
        // What has not changed keeps the focus.
        const content = entry && [entry, tab, entry.duration, entry.commands.length, changes.length, entry.fork];
        if (content?.every((value, index) => value === drawn?.[index])) return;
        drawn = content;
        part('panel').replaceChildren(...entry ? [{ event: drawEvent, state: drawState, diff: drawChanges }[tab](entry)] : []);
    }

    function drawState({ after, fork }) {
        const { state, session, user } = fork ? contentOf(fork.snapshot) : {};
        const content = { [texts.screen]: after, ...fork && { [texts.state]: state, [texts.session]: session }, ...user && { [texts.user]: user } };
        return made('state', { content: JSON.stringify(content, null, 2) });
    }

    function drawChanges({ changes = [] }) {
        const list = document.createElement('ul');
        list.append(...changes.map(({ of, path, before, after }) => made('change', { of: texts[of] ?? of, path, before: json(before), after: json(after) })));
        return list;
    }

    function drawEvent(entry) {
        const { event, values = {}, problem, commands, fork } = entry;
        const item = made('event', { values: Object.keys(values).length ? json(values) : '', problem });
        item.querySelector('[data-of=commands]').append(...commands.map(command => {
            const line = made('command', { command: command.command, text: textOf(command) }), [button] = all('button', line);
            Object.assign(button.dataset, { page: command.page, key: command.key ?? '' });
            return line;
        }));
        const act = { curl: event && (({ target }) => copy(curlCommand(entry, token), target)), show: entry.after && (() => show(entry)), fork: fork && (() => forkAt(entry)) };
        for (const button of all('[data-do]', item)) {
            button.onclick = act[button.dataset.do];
            if (!button.onclick) button.remove();
        }
        return item;
    }

    /** Shows the text, because not every browser lets a page write to the clipboard, and says at the button that it is there. */
    function copy(text, button) {
        part('copied').textContent = text;
        part('copy').hidden = false;
        navigator.clipboard?.writeText(text).catch(() => {});
        if (!button) return;
        const label = button.dataset.label ??= button.textContent;
        button.ariaLive = 'polite';
        button.textContent = texts.copied;
        setTimeout(() => button.textContent = label, 3000);
    }

    // MARK: Elements of the page that are bound to a command

    const pageOf = element => element.closest('[data-us-page]')?.dataset.usPage;

    function mark(elements) {
        marked.forEach(element => element.removeAttribute('data-inspected'));
        marked.clear();
        elements.forEach(element => { element.setAttribute('data-inspected', ''); marked.add(element); });
    }

    function point({ target }) {
        const button = target.closest?.('[data-inspector] button[data-key]');
        if (button) {
            const { page, key } = button.dataset;
            return mark(all('[data-us-page], [data-us-page] *').filter(element => pageOf(element) === page && keysOf(element).includes(key)));
        }
        const bound = target.closest?.('[data-us-text], [data-us-list], [data-us-if], [data-us-attribute]');
        const keys = bound ? keysOf(bound) : [];
        mark(all('button[data-key]', drawer).filter(({ dataset }) => keys.includes(dataset.key) && dataset.page === pageOf(bound)));
    }

    document.addEventListener('pointerover', point);
    document.addEventListener('focusin', point);

    // MARK: Earlier states

    const own = () => entries.filter(entry => entry.page === declared?.page && entry.after);

    const isSecret = control => control.matches('[type=password], [data-us-secret]') || /password|one-time|cc-/.test(control.autocomplete)
        || declared?.fields.some(({ name, secret }) => secret && name === control.name.split('.')[0]);
    const controls = () => all('main :is(input, textarea, select)').filter(control => control.name && !/hidden|file/.test(control.type) && !isSecret(control));
    const messages = () => all('main :is([data-us-error], [data-us-errors])');
    const outputs = () => all('main [data-us-text]');

    /** What the page shows besides its outputs: the errors, and what the person has typed, without secrets. */
    const formState = () => ({
        typed: controls().map(({ value, checked }) => [value, checked]), invalid: controls().map(({ ariaInvalid }) => ariaInvalid),
        errors: messages().map(({ textContent }) => textContent), wrong: outputs().map(({ dataset }) => 'usWrong' in dataset),
    });

    function showForm({ typed = [], invalid = [], errors = [], wrong = [] } = {}) {
        controls().forEach((control, index) => {
            if (!typed[index]) return;
            [control.value, control.checked] = typed[index];
            control.ariaInvalid = invalid[index];
        });
        messages().forEach((element, index) => element.textContent = errors[index] ?? '');
        outputs().forEach((element, index) => element.toggleAttribute('data-us-wrong', !!wrong[index]));
    }

    /** What the page showed when it was loaded, and before it showed an earlier state. */
    const first = formState();
    let current;

    // An answer and a problem are shown after these events.
    for (const name of ['answer', 'problem']) {
        document.addEventListener('understudy:' + name, () => setTimeout(() => {
            const entry = entries.findLast(({ event }) => event);
            if (entry?.page === declared?.page && step === null) entry.form = formState();
            keep();
        }));
    }

    /** Lets the module show values, which are not those of the session. */
    async function paint(values = {}) {
        module ??= import(all('script[type=module][src]').find(({ src }) => /\bunderstudy\b[^/]*\.js$/.test(new URL(src).pathname)).src);
        const names = [...Object.keys(rendered[declared?.page] ?? {}), ...own().flatMap(({ before, after }) => Object.keys({ ...before, ...after }))];
        (await module).render(declared?.page, { ...Object.fromEntries(names.map(name => [name, null])), ...values });
    }

    /** Shows the page as it was after some of its events; after all, as it is. */
    async function go(count) {
        const steps = own(), isLatest = count >= steps.length;
        if (count < 0 || !steps.length || isLatest && step === null) return drawSteps();
        if (step === null) current = formState();
        step = isLatest ? null : count;
        await paint(isLatest ? rendered[declared.page] : count ? steps[count - 1].after : steps[0].before);
        showForm(isLatest ? current : count ? steps[count - 1].form : first);
        if (count) selected = isLatest ? null : steps[count - 1];
        draw();
    }

    const position = () => step ?? own().length;
    const show = entry => go(own().indexOf(entry) + 1);

    function drawSteps() {
        const { length } = own();
        Object.assign(part('slider'), { max: length, value: position(), disabled: !length });
        part('position').textContent = part('slider').ariaValueText = `${position()} / ${length}`;
        part('back').disabled = position() <= 0;
        part('forward').disabled = part('latest').disabled = step === null;
        document.documentElement.toggleAttribute('data-inspector-past', step !== null);
    }

    async function forkAt({ fork, sequence: at }) {
        const response = await send(sessionURL, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fork) });
        if (!response.ok) return copy(await response.text());
        entries.splice(entries.findIndex(entry => entry.fork === fork) + 1);
        Object.keys(rendered).forEach(page => delete rendered[page]);
        Object.assign(rendered, Object.fromEntries(entries.filter(entry => entry.after).map(({ page, after }) => [page, after])));
        session = contentOf(fork.snapshot);
        sequence = at ?? 0;
        keep();
        location.reload();
    }

    // MARK: Events that the person composes

    function drawFields() {
        const event = part('compose').parentElement.open && declared.events.find(({ event }) => event === part('events').value);
        part('fields').replaceChildren(...(event ? event.reads : []).map(name => {
            const { secret, schema = {}, description } = declared.fields.find(field => field.name === name) ?? {};
            const line = made('field', { name }), [input] = all('input', line);
            const known = declared.values[name] ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default;
            Object.assign(input, { name, title: description ?? '', type: secret ? 'password' : 'text', autocomplete: 'off' });
            input.value = known === undefined || secret ? '' : typeof known === 'string' ? known : JSON.stringify(known);
            return line;
        }));
    }

    async function compose() {
        const event = part('events').value, url = String(new URL(declared.page, server)), values = {};
        for (const { name, value } of all('input', part('fields'))) {
            const { kind } = declared.fields.find(field => field.name === name) ?? {};
            values[name] = kind === 'string' ? value : attempt(() => JSON.parse(value)) ?? value;
        }
        const secrets = declared.fields.filter(({ secret }) => secret).map(({ name }) => name), body = JSON.stringify({ event, values });
        const options = { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body };
        await watch({ page: declared.page, event, values, secrets, url }, () => onNetwork(() => send(url, options))).catch(() => {});
    }

    // MARK: The mails of a demonstration

    /** Reads the mails in a session of its own, so that those of the page stay as they are. */
    async function showMails({ target: { open, dataset } }) {
        if (!open) return;
        const options = { method: 'POST', credentials: 'omit', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: '{}' };
        const response = await send(dataset.mailbox, options).catch(() => {});
        if (!response?.ok) return;
        const mails = (await response.json()).commands.findLast(({ key }) => key === 'mails')?.value ?? [];
        part('noMails').hidden = mails.length > 0;
        part('mailList').replaceChildren(...mails.map(({ recipient, subject, text }) => made('mail', { recipient, subject, text })));
    }

    // MARK: The drawer

    document.addEventListener('inspector:warning', ({ detail: { text, element } }) => {
        const line = part('warnings').appendChild(document.createElement('li'));
        line.textContent = text;
        line.onpointerenter = () => mark([element]);
        element.setAttribute('data-inspector-warning', text);
        part('number').textContent = `(${part('warnings').children.length})`;
        part('drawer').open = true;
    });

    async function download(url, button) {
        const response = await send(new URL(url, server));
        copy(response.ok ? await response.text() : (await response.json().catch(() => {}))?.detail ?? texts.unrecorded, response.ok && button);
    }

    if (declared) {
        if (declared.sequence < sequence) sequence = 0;
        rendered[declared.page] = declared.rendered;
        part('events').onchange = drawFields;
        part('compose').onsubmit = dom => { dom.preventDefault(); compose(); };
        // Only then, so that the page has no second field of the same name.
        part('compose').parentElement.ontoggle = () => {
            part('events').replaceChildren(...declared.events.map(({ event }) => new Option(event)));
            drawFields();
        };
    } else part('compose').closest('details').remove();
    if (!sessionURL) part('development').hidden = false;
    else all('[data-do=recording]', drawer)[0].hidden = false;
    const act = {
        recording: ({ target }) => download('session/recording', target),
        clear: () => { entries.length = 0; step = null; draw(); keep(); },
    };
    for (const button of all('.tools [data-do]', drawer)) button.onclick = act[button.dataset.do];
    part('back').onclick = () => go(position() - 1);
    part('forward').onclick = () => go(position() + 1);
    part('latest').onclick = () => go(Infinity);
    part('slider').oninput = () => go(part('slider').valueAsNumber);
    part('filter').oninput = draw;
    for (const tab of all('[name=inspector-tab]', drawer)) tab.onchange = draw;
    for (const control of all('[data-network]', drawer)) {
        const name = control.dataset.network, isSwitch = control.type === 'checkbox';
        if (isSwitch) control.checked = !!network[name];
        else control.value = network[name] ?? 0;
        control.onchange = () => {
            network[name] = isSwitch ? control.checked : Number(control.value);
            drawFault();
            keep();
            // Requests that wait are sent at once, so that what the fault has caused ends with it.
            if (!network.fails && !network.isOffline) dispatchEvent(new Event('online'));
        };
    }
    drawFault();
    part('mails')?.addEventListener('toggle', showMails);
    part('drawer').open = !!kept.isOpen;
    part('drawer').ontoggle = async () => {
        await readSession();
        keep();
        draw();
        plan();
    };
    addEventListener('pagehide', keep);
    part('script').hidden = false;
    draw();
}
