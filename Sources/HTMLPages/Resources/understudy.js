// Apache-2.0. See docs/browser.md

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const add = name => document.body.appendChild(document.createElement(name));
const attempt = value => { try { return value(); } catch {} };

const { usServer = new URL('.', import.meta.url).href, usTimeout = 40_000, usPages = '{}' } = all('script[data-us-server]')[0]?.dataset ?? {};
const server = new URL(usServer.replace(/\/?$/, '/'), location);

const live = all('[data-us-live]')[0] ?? add('div');
live.role ??= 'status';
const texts = {
	usOffline: 'No connection. Please wait.',
	usBusy: 'The server is busy. Please wait.',
	usExpired: 'The session has ended. Please try again.',
	usLost: 'A password may not have been sent. Please try again.',
	usEnded: 'The session has ended. Log in again',
	usFile: 'Files cannot be sent.',
	usCancel: 'Cancel',
	...live.dataset,
};
const say = text => live.textContent = text;

/** Only in the head: nothing that a client can have entered is there. */
const block = document.head.querySelector('[data-us-declaration]'), { usUser, usLogin, usLoaded, usChoices } = block?.dataset ?? {};
/** The labels of choices by the paths of outputs. */
const choices = attempt(() => JSON.parse(usChoices)) ?? {};
let declared = attempt(() => JSON.parse(block.textContent));

const stored = attempt(() => JSON.parse(sessionStorage[server])) ?? {};
/** A link has run the event that loads the page. */
if (usLoaded) stored.opening = usLoaded;
/** The first event may be on its way: only its answer removes it. */
const queue = (stored.queue ?? []).filter(event => event.key);
let { destination, token } = stored, opening;
/** The status of the last response without a declaration. */
let refusal;
/** The last command shown, and whether any was missed. */
let sequence = 0, isStale = true;
let isWorking, isFailing;
/** The session may have lost the user for whom the server has rendered the page. */
let isInDoubt;
/** Whether a message reports an error, by its code. */
const isError = {};
const inbox = [];
const declarations = {}, shown = {}, subscribers = new Map();
/** Controls that were changed since an event took their value. */
const dirty = new WeakSet();
const delayed = new Map(), waiting = new Map();

const rootsOf = page => all(`[data-us-page="${CSS.escape(page)}"]`);
const addressOf = root => new URL(root.getAttribute('action') || root.dataset.usPage, server);
/** Only the server gets input and the token. */
const rootOf = element => [(element.form ?? element).closest('[data-us-page]')].find(root => root && addressOf(root).origin === server.origin);
const isTrue = value => Array.isArray(value) ? value.length > 0 : !!value;
const isBoolean = name => /^(hidden|disabled|checked|required|readonly|open|inert|selected|multiple)$/.test(name);
const pend = (element, isWaiting) => setTimeout(() => isWaiting() && element?.toggleAttribute('data-us-pending', true), 300);
const fieldOf = name => name.split('.')[0];
const isPress = ({ kind }) => /click|submit|load/.test(kind);
const isSecret = control => control.matches('[type=password], [data-us-secret]') || /password|one-time|cc-/.test(control.autocomplete);

const eventOf = (root, event, kind, values) => ({
	page: root.dataset.usPage, url: addressOf(root).href, event, kind, key: crypto.randomUUID(), at: location.pathname, values, secrets: [],
});

function act(element, name, kind, submitter) {
	const root = rootOf(element), form = element.form ?? element.closest('form'), controls = [...form?.elements ?? [element]];
	if (!root) return;
	const entries = controls.filter(control => control.matches('[type=checkbox]:enabled:not(:checked)')).map(box => [box.name, 'false']);
	if (form) entries.push(...new FormData(form, submitter));
	const values = {}, single = {}, errors = [];
	if (!form || element.localName === 'button') single[element.name] = element.checked === false ? 'false' : element.value;
	for (const { name, value } of element.attributes) {
		if (name.startsWith('data-us-value-')) single[name.slice(14)] = value;
	}
	for (const [name, value] of [...entries.filter(([name]) => !(name in single)), ...Object.entries(single)]) {
		if (value?.name) errors.push({ field: name, message: texts.usFile });
		else if (/^(?!event$)[^_]/.test(name) && typeof value === 'string') values[name] = name in values ? [values[name], value].flat() : value;
	}
	const event = {
		...eventOf(root, name, kind, values),
		secrets: controls.filter(isSecret).map(control => control.name),
		element, form: form ?? root, focus: document.activeElement, pressed: submitter ?? element,
	};
	if (errors.length) return showErrors(event, errors);
	narrow(event);
	const isSame = other => other.event === name && other.page === event.page && (other.element ?? (kind === 'click' || element)) === element;
	if (isPress(event)) {
		if (destination || JSON.stringify(queue.findLast(isSame)?.values) === JSON.stringify(event.values)) return;
		say('');
		if (kind === 'submit') notices().forEach(element => element.textContent = '');
		pend(event.pressed, () => queue.includes(event));
	}
	controls.filter(control => control.name in event.values).forEach(control => dirty.delete(control));
	// Replaces an unsent event, unless a press came after it.
	const last = queue.findLast(other => isPress(other) || isSame(other));
	queue.splice(last && isSame(last) && !last.isTried ? queue.indexOf(last) : queue.length, 1, event);
	work();
}

function narrow(event) {
	const row = declarations[event.url]?.events.find(row => row.event === event.event);
	if (!row || event.isTried) return;
	const reads = name => row.reads.find(read => read === fieldOf(name) || read.toLowerCase() === name);
	const values = Object.entries(event.values).filter(([name]) => reads(name));
	event.values = Object.fromEntries(values.map(([name, value]) => [/\./.test(name) ? name : reads(name), value]));
	event.secrets.push(...row.secret);
}

/** Sends one request after the other: no response overtakes another. */
async function work() {
	update();
	if (isWorking) return;
	isWorking = true;
	while (isStale || inbox.length || queue.length || destination || isInDoubt) {
		await (isStale ? refresh() : inbox.length ? hear() : queue.length ? deliver(queue[0]) : destination ? leave() : checkUser()).catch(reportError);
		update();
	}
	isWorking = false;
	join();
}

async function deliver(event) {
	if (!declarations[event.url]) await declare(event.url);
	const { url, values, event: name, key } = event;
	// Markup can name any event: without a person, only one runs that the page declares as safe. After 401, none runs.
	const isSafe = declarations[url] ? declarations[url].events.find(row => row.event === name)?.safe : refusal === 401;
	if (event.kind === 'load' && !isSafe) {
		queue.shift().pressed?.removeAttribute('data-us-pending');
		return console.warn(`'${name}' does not run on load, because '${event.page}' does not declare it as safe`);
	}
	event.isTried = true;
	let isDrawn, isWrong;
	// Shows values at once. Alerts and destinations cannot be taken back, so they wait for the answer.
	const draw = ({ page, key, value, sequence: number }) => {
		isWrong ||= isDrawn && !number;
		if (!key || number <= sequence) return;
		isDrawn = true;
		show(page, { [key]: value });
	};
	const response = dispatch(event, 'event', event) && await request(url, 'POST',
		new URLSearchParams([...Object.entries(values).flatMap(([name, texts]) => [texts].flat().map(text => [name, text])), ['event', name]]),
		{ 'Idempotency-Key': key, Accept: 'text/event-stream', ...usUser && { 'Session-User': usUser }, ...isPress(event) && { Prefer: 'return=representation' } },
		draw);
	queue.shift().pressed?.removeAttribute('data-us-pending');
	const { status, body } = response;
	if (status === 200) await answer(event, response);
	else if (status === 401) await (usUser ? leadToLogin() : startAfresh());
	else if (status && dispatch(event, 'problem', body)) showErrors(event, body.errors ?? [{ field: body.field, message: body.title ?? 'Error ' + status }]);
	event.done?.(body);
	isStale ||= isWrong || isDrawn && status !== 200;
}

async function answer(event, { body, isReplay }) {
	token = body.token ?? token;
	isOver = false;
	answered = Date.now();
	// The number of the response can be that of an event on the next page.
	const before = (body.commands[0]?.sequence ?? body.sequence + 1) - 1;
	if (before < sequence && !isReplay) {
		say(texts.usExpired);
		isStale = true;
	} else if (before > sequence) await catchUp();
	dispatch(event, 'answer', { ...body, key: event.key, url: event.url });
	event.next = body.next;
	learn(body.commands, body.errors);
	body.commands.forEach(command => apply(command, event));
	showErrors(event, (body.errors ?? []).filter(({ message }) => !alerts.some(alert => alert.message === message)));
	const { form } = event;
	if (form?.dataset.usReset === event.event && !body.errors?.length && ![...form.elements].some(control => dirty.has(control))) form.reset();
	showAlerts();
}

async function catchUp() {
	const { status, body } = await request('session/history?since=' + sequence);
	isStale = status !== 200;
	body.commands?.forEach(command => apply(command));
}

/** Without an event, the command is of the history: its alert is for the tab whose act caused it, unless an update did. */
function apply(command, event) {
	const { command: name, page, key, value, code } = command, isNew = command.sequence > sequence;
	if (name === 'render' && isNew) {
		show(page, { [key]: value });
		mark(page, key, code);
		// The page says whether it is an error.
		isStale ||= !!code && !(code in isError);
	}
	else if (name === 'goToPage' && event && dispatch(event, name, command)) follow(command, event);
	else if (name === 'showAlert' && (event || isNew && isOfUpdate(command)) && dispatch(event ?? { page }, name, command)) {
		alerts.push({ message: command.message, isNotice: isError[code] === false });
	}
	if (isNew) sequence = command.sequence;
}

function learn(messages, errors = []) {
	for (const { code } of messages) if (code) isError[code] = errors.some(error => error.code === code);
}

/** An output that shows an error looks like one. */
function mark(page, key, code) {
	for (const root of rootsOf(page)) all(`[data-us-text="${CSS.escape(key)}"]`, root).forEach(element => element.toggleAttribute('data-us-wrong', !!isError[code]));
}

const isOfUpdate = ({ page, code }) => !document.hidden
	&& rootsOf(page).some(root => declarations[addressOf(root)]?.updates?.some(({ gives }) => gives.messages.includes(code)));

function dispatch({ element, page }, name, detail) {
	const target = element?.isConnected ? element : rootsOf(page)[0] ?? document;
	return target.dispatchEvent(new CustomEvent('understudy:' + name, { detail, bubbles: true, cancelable: true }));
}

async function refresh() {
	isStale = false;
	let first, screens = {};
	for (const root of all('[data-us-page]').filter(rootOf)) {
		const page = root.dataset.usPage, screen = screens[page] ??= await declare(addressOf(root).href);
		if (!screen) continue;
		first ??= screen.sequence;
		const cleared = Object.keys(shown[page] ?? {}).map(key => [key, null]);
		// After an event that has led to another page, not the errors that a person has corrected.
		const isPast = key => screen.goToPage && screen.errors?.some(({ code }) => code === screen.messages[key]?.code);
		const current = Object.entries(screen.rendered).map(([key, value]) => [key, isPast(key) ? null : value]);
		render(page, Object.fromEntries([...cleared, ...current]));
		const messages = Object.entries(screen.messages ?? {});
		learn(messages.map(([, message]) => message), screen.errors);
		for (const [key, { code }] of messages) mark(page, key, code);
		all('[data-us-local]', root).forEach(showLocal);
		for (const rows of all('[data-us-rows]', root)) {
			const missing = valueAt(screen.values, rows.dataset.usRows)?.length - rowsOf(rows).length;
			for (let count = dirty.has(rows) ? 0 : missing; count > 0; count--) addRow(rows);
		}
		const controls = [...root.elements ?? []].filter(control => !control.matches('[type=hidden], fieldset, button'));
		for (const control of controls) {
			const value = valueAt(screen.values, control.name), index = controls.filter(({ name }) => name === control.name).indexOf(control);
			if (value !== undefined && !control.form?.dataset.usReset) setControl(control, Array.isArray(value) ? value[index] ?? null : value);
		}
		if (stored.opening === page) {
			// Once, however many elements the page has.
			stored.opening = 0;
			if (screen.alert) alerts.push({ message: screen.alert.message, isNotice: !screen.errors?.some(({ code }) => code === screen.alert.code) });
		}
	}
	stored.opening = 0;
	sequence = first ?? 0;
	showAlerts();
}

async function declare(url) {
	const { body, status } = declared && new URL(declared.page, server).href === url ? { body: declared } : await request(url);
	declared = undefined;
	if (!body.events) return void (refusal = status);
	declarations[url] = body;
	queue.forEach(narrow);
	return body;
}

const keptAt = server + location.pathname;

const drop = () => queue.splice(0).forEach(({ done }) => done?.());

/** An event of a user never runs for another one. What was typed waits until the person is back. */
async function leadToLogin() {
	drop();
	destination = undefined;
	const secrets = Object.values(declarations).flatMap(({ events }) => events.flatMap(({ secret }) => secret));
	const typed = all('[data-us-page] :is(input:not([type=hidden], [type=file]), textarea, select)')
		.filter(control => control.name && !isSecret(control) && !secrets.includes(fieldOf(control.name)))
		.map(({ name, value, checked }) => [name, value, checked]);
	attempt(() => { sessionStorage[keptAt] = JSON.stringify({ usUser, typed }); });
	const link = document.createElement('a');
	link.href = `${usLogin}?_back=${encodeURIComponent(location.pathname)}`;
	link.textContent = texts.usEnded;
	live.replaceChildren(link);
	document.documentElement.dataset.usEnded = '';
}

async function checkUser() {
	isInDoubt = false;
	if (!usUser) return;
	const { body } = await request('session'), isEnded = 'usEnded' in document.documentElement.dataset;
	if (body.user?.username === decodeURIComponent(usUser)) isEnded && location.reload();
	else if (!isEnded) await leadToLogin();
}

function restore() {
	const kept = attempt(() => JSON.parse(sessionStorage[keptAt]));
	if (!usUser || !kept) return;
	attempt(() => sessionStorage.removeItem(keptAt));
	if (kept.usUser !== usUser) return;
	for (const [name, value, checked] of kept.typed) {
		for (const control of all(`[name="${CSS.escape(name)}"]`)) {
			if (!/checkbox|radio/.test(control.type)) control.value = value;
			else if (control.value === value) control.checked = checked;
			control.dispatchEvent(new Event('input', { bubbles: true }));
		}
	}
}

async function startAfresh() {
	drop();
	destination = token = undefined;
	await request('session', 'DELETE');
	say(texts.usExpired);
	isStale = true;
}

/** Repeats until there is an answer: the key makes that safe. */
async function request(path, method, body, headers, draw) {
	if (!isShared && draw && !token) token = (await request('session', 'POST')).body.token;
	for (let pause = 500; ; pause = Math.min(2 * pause, 30_000)) {
		let isBusy, wait = 0;
		try {
			const response = await send(path, { method, body, headers }, draw);
			isBusy = [429, 502, 503, 504].includes(response.status);
			({ wait } = response);
			if (!isBusy || wait > 60_000) {
				isFailing &&= say('');
				return response;
			}
		} catch {
		}
		isFailing = say(isBusy ? texts.usBusy : texts.usOffline);
		await sleep(wait + pause * (1 + Math.random()) / 2);
	}
}

async function send(path, options, draw) {
	const headers = { ...options.headers, ...token && { Authorization: 'Bearer ' + token } };
	const response = await fetch(new URL(path, server), { signal: AbortSignal.timeout(usTimeout), ...options, headers });
	const header = name => response.headers.get(name);
	const isStream = header('Content-Type')?.startsWith('text/event-stream');
	const content = await (isStream ? read(response.body, draw) : response.text()), json = attempt(() => JSON.parse(content));
	const status = json?.status ?? response.status;
	// A proxy's page is no answer.
	if (!json && response.ok && status !== 204) throw status;
	return { status, body: json ?? {}, wait: header('Retry-After') * 1000, isReplay: header('Idempotency-Replayed') };
}

/** Reads server-sent events up to the answer or the problem. Before a new run, there is one without content. */
async function read(body, draw) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	draw({});
	for (let text = '', part; !(part = await reader.read()).done;) {
		const events = (text + part.value).split('\n\n');
		text = events.pop();
		for (const event of events) {
			const [, type, data] = event.match(/event: (.+)[^]*\ndata: (.+)/) ?? [];
			if (/answer|problem/.test(type)) return data;
			if (type) draw(JSON.parse(data));
		}
	}
}

const sleep = milliseconds => new Promise(resolve => {
	setTimeout(resolve, milliseconds);
	for (const name of ['online', 'pageshow']) addEventListener(name, resolve, { once: true });
});

/** The tabs of a browser share the session, unless it has a token. */
const isShared = server.origin === location.origin;
/** The number of the last message of the server, and when an event has last succeeded. */
let heard, answered = 0;
let channel, following, isOver;

/** One visible tab follows the history, and tells the others: a browser has only six connections with HTTP/1.1. */
function join() {
	if (isShared) channel ??= attempt(() => new BroadcastChannel(server));
	if (channel) channel.onmessage = receive;
	if (following || isOver || document.hidden || !(isShared || token) || !all('[data-us-page]').some(rootOf)) return;
	following = new AbortController();
	const { signal } = following, start = Date.now();
	const run = () => new Promise(resolve => {
		signal.onabort = resolve;
		// Another tab has followed the history until now.
		if (Date.now() > start + 1000) doubt();
		listen(signal);
	});
	isShared && navigator.locks ? navigator.locks.request(server, { signal }, run).catch(() => {}) : run();
}

function doubt() {
	isInDoubt = true;
	work();
}

const quit = () => following &&= following.abort();

async function listen(signal) {
	heard = sequence;
	// Tabs that have missed something read their pages again.
	channel?.postMessage({ sequence });
	for (let tries = 2, pause = 1000; !signal.aborted; pause = Math.min(2 * pause, 30_000)) {
		if (tries && isShared && window.EventSource) {
			if (await stream(signal)) tries = 2, pause = 2000;
			// The server may not have noticed yet that the person has left a page.
			else tries--;
		} else if (await poll(signal)) {
			pause = 500;
			continue;
		} else tries = 1;
		await sleep(pause * (1 + Math.random()) / 2);
	}
}

const stream = signal => new Promise(resolve => {
	const source = new EventSource(new URL('session/history?since=' + heard, server));
	let isOpen;
	const close = () => resolve(isOpen, source.close());
	source.onopen = () => isOpen = true;
	source.onerror = close;
	signal.addEventListener('abort', close);
	// Some proxies keep it to themselves.
	setTimeout(() => isOpen || close(), usTimeout / 4);
	for (const type of ['command', 'historyGone', 'problem']) source.addEventListener(type, ({ data }) => share(JSON.parse(data)));
});

async function poll(signal) {
	const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)]);
	const { status, body } = await send(`session/history?since=${heard}&wait=20`, { signal: limit }).catch(() => ({ body: {} }));
	(body.commands ?? [body]).forEach(share);
	return status === 200 || status === 410;
}

/** A command; or a problem, which may say where the history is. */
function share(message) {
	// A login ends the stream of the session before, which can arrive after its answer.
	isOver = message.status === 401 && Date.now() > answered + 2000;
	if (isOver) quit();
	// Not while the person leaves the page, such as by a logout.
	if (message.status === 401) setTimeout(doubt, 1000);
	if (!(message.sequence >= 0)) return;
	heard = message.sequence;
	channel?.postMessage(message);
	receive({ data: message });
}

function receive({ data }) {
	inbox.push(data);
	work();
}

async function hear() {
	for (const message of inbox.splice(0)) {
		if (!message.command) isStale ||= message.sequence !== sequence;
		else if (!isStale) message.sequence > sequence + 1 ? await catchUp() : apply(message);
	}
	showAlerts();
}

/** Only to paths of this origin. What a person does until then is sent first. */
function follow(command, { at, next }) {
	const { page: name, href, rendered } = next ?? { ...command, page: command.name };
	const isOwn = path => new URL(path, location).origin === location.origin;
	const back = new URLSearchParams(location.search).get('_back');
	const to = back?.startsWith('/') && isOwn(back) ? back : attempt(() => JSON.parse(usPages)[name]) ?? href;
	if (!href?.startsWith('/') || !isOwn(to)) return;
	if (at === location.pathname) destination = { to, shown: rendered && name };
}

async function leave() {
	pend(document.documentElement, () => true);
	const { to, shown } = destination;
	opening = shown;
	destination = undefined;
	update();
	location.assign(to);
	await sleep(usTimeout);
}

const valueAt = (values, path) => path.split('.').reduce((value, name) => Object.hasOwn(value ?? {}, name) ? value[name] : undefined, values);
const rowsOf = list => all(':scope > [data-us-row]', list);

function addRow(list) {
	const [template] = all(':scope > template', list);
	template.before(document.importNode(template.content.firstElementChild, true));
	countRows(list);
}

/** The names in the rows contain their indices: `lines.0.size`. */
function countRows(list) {
	const { usRows, usMinimum = 0, usMaximum = Infinity } = list.dataset, rows = rowsOf(list);
	const pattern = new RegExp(`(^|[\\s-])${usRows.replaceAll('.', '\\.')}\\.\\d+(?![^.\\s-])`, 'g');
	const rename = (element, index) => {
		for (const { name, value } of [...element.attributes ?? []]) {
			if (name !== 'value' || element.name === '_add' || element.name === '_remove') element.setAttribute(name, value.replace(pattern, `$1${usRows}.${index}`));
		}
		for (const child of (element.content ?? element).children) rename(child, index);
	};
	rows.forEach((row, index) => {
		rename(row, index);
		all('[data-us-number]', row).slice(0, 1).forEach(element => element.textContent = index + 1);
	});
	for (const button of all('[name=_remove]', list)) {
		if (button.closest('[data-us-rows]') === list) button.hidden = rows.length <= usMinimum;
	}
	for (const button of all(':scope > [name=_add]', list)) button.hidden = rows.length >= usMaximum;
	for (const input of all(':scope > [type=hidden]', list)) input.disabled = rows.length > 0;
}

function changeRows(button) {
	const list = button.closest('[data-us-rows]'), row = button.closest('[data-us-row]');
	dirty.add(list);
	if (button.name === '_add') {
		addRow(list);
		all('input:not([type=hidden]), select, textarea', rowsOf(list).at(-1))[0]?.focus();
	} else {
		row.remove();
		countRows(list);
		all(':scope > [name=_add]', list)[0]?.focus();
	}
}

function render(page, values) {
	// A row shows what is in it, also in a form that belongs to the page of the list.
	rootsOf(page).filter(root => pageOf(listOf(root)) !== page).forEach(root => paint(root, values));
	Object.assign(shown[page] ??= {}, values);
	subscribers.get(page)?.forEach(callback => callback(shown[page]));
}

/** A value that arrives again with the answer is no news. */
function show(page, values) {
	const isNews = Object.keys(values).some(key => JSON.stringify(values[key]) !== JSON.stringify(shown[page]?.[key]));
	render(page, values);
	if (isNews) dispatch({ page }, 'render', { page, values });
}

function showLocal(control) {
	const { type, checked, value, dataset } = control, root = control.closest('[data-us-page]');
	if (root && (type !== 'radio' || checked)) render(root.dataset.usPage, { [dataset.usLocal]: type === 'checkbox' ? checked : value });
}

const listOf = element => element.parentElement?.closest('[data-us-list]');
const pageOf = element => element?.closest('[data-us-page]')?.dataset.usPage;

/** Shows the values of a page, or those of an item of a list. */
function paint(root, values, isRow) {
	const list = listOf(root), page = pageOf(isRow ? list : root);
	for (const element of [root, ...all('[data-us-text], [data-us-attribute], [data-us-list], [data-us-if]', root)]) {
		if (listOf(element) !== list || pageOf(element) !== page) continue;
		const { usText = '', usList = '', usIf = '', usAttribute } = element.dataset;
		for (const [, name, not, path] of `text:${usText}, list:${usList}, if:${usIf}, ${usAttribute}`.matchAll(/([^\s,:]+):\s*(!?)([^\s,]+)/g)) {
			const holes = path.match(/(?<={)[^}]+/g), [first] = (holes?.[0] ?? path).split('.');
			if (!isRow && !Object.hasOwn(values, first)) continue;
			const fill = (_, path) => encodeURIComponent(valueAt(values, path) ?? '');
			const value = holes ? path.replace(/{([^}]+)}/g, fill) : path === '.' ? values : valueAt(values, path) ?? null;
			if (name === 'if') showIf(element, isTrue(value) !== !!not, isRow ? values : { ...shown[page], ...values }, isRow);
			else setAttribute(element, name, not ? !isTrue(value) : name === 'text' ? textAt(pathOf(element, path), element, value) : value);
		}
	}
}

/** The names that lead to a value from the outputs on: in a row, after those of the list. */
const pathOf = (element, key) => [...listOf(element) ? pathOf(listOf(element), listOf(element).dataset.usList) : [], ...key === '.' ? [] : key.split('.')];
const memberOf = (schema, name) => schema?.items ? memberOf(schema.items, name) : schema?.properties?.[name];

function textAt(path, element, value) {
	const outputs = declarations[addressOf(element.closest('[data-us-page]'))]?.outputs;
	return attempt(() => JSON.parse(element.dataset.usTexts)[value]) ?? textOf(value, path.slice(1).reduce(memberOf, outputs?.find(({ key }) => key === path[0])?.schema), path);
}

/** The text for a person, by the declared type. */
function textOf(value, schema, path) {
	const lang = document.documentElement.lang || 'en', { format, items } = schema ?? {};
	if (Array.isArray(value)) return value.map(item => textOf(item, items, path)).join(value.some(isObject) ? '; ' : ', ');
	if (isObject(value)) return Object.entries(value).map(([name, member]) => textOf(member, memberOf(schema, name), [...path, name])).filter(text => text !== '').join(', ');
	const time = new Date(format === 'date' ? value + 'T00:00' : value);
	if (/^date/.test(format) && value && !isNaN(time)) return timeText(time, format, lang);
	if (format === 'decimal') return value?.toLocaleString(lang, { minimumFractionDigits: 2, useGrouping: false }) ?? '';
	return choices[path.join('.')]?.[value] ?? value ?? '';
}

const isObject = value => value !== null && typeof value === 'object';

function timeText(time, format, lang) {
	const day = Math.round((new Date(time).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 864e5);
	const date = time.toLocaleDateString(lang, { dateStyle: 'medium' });
	if (format === 'date') return date;
	const near = Math.abs(day) < 2 && new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(day, 'day');
	return `${near || date}, ${time.toLocaleTimeString(lang, { timeStyle: 'short' })}`;
}

const conditional = new WeakMap();

function showIf(template, isShown, values, isRow) {
	const next = template.nextElementSibling, element = conditional.get(template) ?? (next?.matches('[data-us-shown]') ? next : undefined);
	conditional.set(template, element);
	if (isShown === !!element) return;
	element?.remove();
	conditional.delete(template);
	if (!isShown) return;
	template.after(document.importNode(template.content.firstElementChild, true));
	conditional.set(template, template.nextElementSibling);
	paint(template.nextElementSibling, values, isRow);
}

function setAttribute(element, name, value) {
	if (isBoolean(name)) value = isTrue(value);
	if (name.startsWith('class.')) return element.classList.toggle(name.slice(6), isTrue(value));
	if (name === 'disabled') {
		setAttribute(element, 'aria-disabled', value);
		value &&= !element.matches(':focus-within');
	}
	const isAbsent = value === null || value === false, text = isAbsent ? '' : String(value);
	if (name === 'list') showList(element, value);
	else if (name === 'text') {
		element.textContent === text || (element.textContent = text);
	}
	else if (name === 'value' || name === 'checked') setControl(element, value);
	else if (name === 'aria-disabled' && waiting.has(element)) waiting.set(element, value);
	else if (isAbsent || attempt(() => new URL(text).protocol) === 'javascript:') element.removeAttribute(name);
	else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
}

/** Never overwrites what a person is typing, or what is not sent. */
function setControl(control, value) {
	const isSent = queue.some(event => control.name in event.values && event.form === control.form);
	if (value === null || isSent || dirty.has(control) || control === document.activeElement || isSecret(control)) return;
	if (control.type === 'checkbox') control.checked = String(value) === 'true';
	else if (control.type === 'radio') control.checked = control.value === String(value);
	else control.value = value;
}

const keys = new WeakMap();

function showList(list, items) {
	const [template] = all(':scope > template', list), rows = all(':scope > :not(template)', list), { usKey = 'id' } = list.dataset;
	const focus = document.activeElement, kept = [];
	for (const item of items ?? []) {
		const key = valueAt(item, usKey);
		const row = rows.find(row => keys.get(row) === key) ?? rows.find(row => !keys.has(row));
		if (row) rows.splice(rows.indexOf(row), 1);
		kept.push(row ?? document.importNode(template.content.firstElementChild, true));
		keys.set(kept.at(-1), key);
	}
	rows.forEach(row => row.remove());
	kept.forEach((row, index) => {
		const place = all(':scope > :not(template)', list)[index];
		if (place !== row) list.insertBefore(row, place ?? null);
		paint(row, items[index], true);
	});
	if (focus.isConnected && focus !== document.activeElement) focus.focus();
}

function showErrors(event, errors) {
	const root = event.form?.isConnected ? event.form : rootsOf(event.page)[0] ?? document.body;
	const errorOf = path => all(`[data-us-error="${CSS.escape(path)}"]`, root)[0];
	// An element of a list of texts has the name of the list, but an error of its own.
	const controlOf = path => all(`[aria-describedby~="${CSS.escape(errorOf(path)?.id || '-')}"], [name="${CSS.escape(path)}"]:not([type=hidden])`, root)[0];
	const setError = (control, element, message) => {
		if (!element) return false;
		element.textContent = message;
		element.id ||= crypto.randomUUID();
		const ids = control.getAttribute('aria-describedby') ?? '';
		if (!ids.includes(element.id)) control.setAttribute('aria-describedby', `${ids} ${element.id}`);
		if (control.type !== 'fieldset') setAttribute(control, 'aria-invalid', !!message);
		return true;
	};
	for (const element of all('[data-us-error]', root)) {
		const path = element.dataset.usError, control = controlOf(path);
		if (control && (isPress(event) || control.name in event.values)) setError(control, element, '');
	}
	const others = errors.filter(({ pointer, field = '', message }) => {
		const path = pointer?.slice(1).replaceAll('/', '.') ?? field, control = controlOf(path);
		return !control || !setError(control, errorOf(path), message);
	}).map(error => error.message).join(' ');
	for (const element of all('[data-us-errors]', root)) element.textContent = others;
	if (others) say(others);
	if (event.kind === 'submit' && [event.focus, document.body].includes(document.activeElement)) all('[aria-invalid]', root)[0]?.focus();
}

const alerts = stored.alerts ?? [];

const notices = () => all('[data-us-notice]');

function showAlerts() {
	// What reports no error needs no answer.
	for (const [line] = notices(); line && !destination && alerts[0]?.isNotice;) line.textContent = alerts.shift().message;
	const dialog = !destination && alerts.length && (all('dialog[data-us-alert]')[0] ?? makeDialog());
	if (!dialog || dialog.open) return;
	dialog.ariaLabel = all('p', dialog)[0].textContent = alerts.shift().message;
	dialog.addEventListener('close', showAlerts, { once: true });
	dialog.showModal();
	update();
}

function makeDialog(kind = 'usAlert', ...labels) {
	const [dialog, text] = ['dialog', 'p'].map(add);
	dialog.dataset[kind] = '';
	dialog.append(text, ...['OK', ...labels].map((label, index) => {
		const button = add('button');
		button.textContent = label;
		button.onclick = () => dialog.close(index);
		return button;
	}));
	return dialog;
}

function confirm(question, run) {
	if (!question) return run();
	const dialog = makeDialog('usConfirmation', texts.usCancel);
	dialog.ariaLabel = all('p', dialog)[0].textContent = question;
	// Otherwise, a second Enter would agree.
	all('button', dialog)[1].autofocus = true;
	dialog.addEventListener('close', () => {
		dialog.remove();
		if (dialog.returnValue === '0') run();
	});
	dialog.showModal();
}

function update() {
	// Never store secrets.
	const hasSecret = event => Object.keys(event.values).some(name => event.secrets.some(secret => [name, fieldOf(name)].includes(secret)));
	const events = queue.map(({ element, form, focus, pressed, ...event }) => hasSecret(event) ? {} : event);
	attempt(() => { sessionStorage[server] = JSON.stringify({ queue: events, destination, token, opening, alerts }); });
	for (const root of all('[data-us-page]')) {
		const events = queue.filter(event => event.page === root.dataset.usPage && (event.form ?? root) === root);
		const isWaiting = events.some(event => event.kind === 'submit');
		setAttribute(root, 'aria-busy', events.length > 0);
		for (const button of all('button:not([type=button]), [type=submit]', root)) {
			if (isWaiting === waiting.has(button)) continue;
			const value = isWaiting ? button.ariaDisabled : waiting.get(button);
			waiting.delete(button);
			setAttribute(button, 'aria-disabled', isWaiting || value);
			if (isWaiting) waiting.set(button, value);
		}
	}
}

const flush = () => delayed.forEach(run => run());

for (const [type, kind] of Object.entries({ input: 'input', change: 'change', focusout: 'blur', click: 'click', submit: 'event' })) {
	document.addEventListener(type, dom => {
		const { target, submitter } = dom, element = target.closest(`[data-us-${kind}]`);
		const isChange = type === 'input' || type === 'change', button = submitter ?? target.closest('button, a, [type=submit]');
		if (type === 'input') dirty.add(target);
		if (isChange && target.dataset.usLocal) showLocal(target);
		// A double click can outlast the answer.
		if (type === 'click' && dom.detail > 1 && button && rootOf(button) && !button.closest('[data-us-repeat]')) return dom.preventDefault();
		if (!element || !rootOf(element) || dom.defaultPrevented) return;
		if (submitter && /^_(add|remove)$/.test(submitter.name)) {
			if (all(':scope > template', submitter.closest('[data-us-rows]') ?? submitter)[0]) {
				dom.preventDefault();
				changeRows(submitter);
			}
			return;
		}
		if (button || type === 'submit') dom.preventDefault();
		// A waiting change may enable it.
		if (button?.ariaDisabled === 'true' && (type === 'click' || !delayed.size && !queue.length)) return;
		const name = submitter?.name === 'event' ? submitter.value : element.getAttribute('data-us-' + kind);
		const run = () => {
			delayed.delete(element);
			act(element, name, kind === 'event' ? type : kind, submitter);
		};
		if (!isChange || !element.dataset.usDelay) return confirm(submitter?.dataset.usConfirm ?? element.dataset.usConfirm, () => { flush(); run(); });
		delayed.set(element, run);
		setTimeout(() => delayed.get(element) === run && run(), element.dataset.usDelay);
	});
}

// The menu of a narrow page would hide the control that has the focus.
document.addEventListener('focusout', ({ target, relatedTarget }) => {
	const menu = target.closest('#us-menu');
	if (relatedTarget && !relatedTarget.popoverTargetElement && !menu?.contains(relatedTarget)) menu?.hidePopover();
});
addEventListener('pagehide', () => {
	flush();
	quit();
	// The cache for back and forward takes no page with an open one.
	channel = channel?.close();
});
document.addEventListener('visibilitychange', () => document.hidden ? quit() : doubt());
addEventListener('beforeunload', dom => { if (isFailing && queue.length) dom.preventDefault(); });
addEventListener('pageshow', dom => {
	if (dom.persisted) {
		isStale = isInDoubt = true;
		alerts.length = 0;
		all('[data-us-pending]').forEach(element => element.removeAttribute('data-us-pending'));
	}
	work();
});

// What was typed before the module arrived counts as well.
all('input, textarea').filter(control => control.value !== control.defaultValue).forEach(control => control.dispatchEvent(new Event('input', { bubbles: true })));
const lost = stored.queue?.length > queue.length;
const loaded = new WeakSet();
const load = () => all('[data-us-load]').filter(element => !loaded.has(element)).forEach(element => {
	loaded.add(element);
	isStale = true;
	if (rootOf(element)?.dataset.usPage !== stored.opening) act(element, element.dataset.usLoad, 'load');
});
load();
new MutationObserver(load).observe(document, { childList: true, subtree: true });
restore();
if (lost) say(texts.usLost);
work();

/** The element of a page; a hidden one for a script that shows the page. */
function rootFor(page) {
	const root = rootsOf(page)[0] ?? add('div');
	root.dataset.usPage ??= Object.assign(root, { hidden: true }) && page;
	return root;
}

const flat = (name, value) => isObject(value) && !(Array.isArray(value) && value.every(item => !isObject(item)))
	? Object.entries(value).flatMap(([member, value]) => flat(`${name}.${member}`, value)) : [[name, value]];

/** Sends an event, after those that wait. Gives the response; nothing if the event was dropped. */
function sendEvent(page, name, values = {}) {
	const event = eventOf(rootFor(page), name, 'send', Object.fromEntries(Object.entries(values).flatMap(entry => flat(...entry))));
	narrow(event);
	queue.push(event);
	work();
	return new Promise(done => event.done = done);
}

/** Calls back with the values of a page's outputs: now if it has shown any, and whenever they change. Returns a function that ends it. */
export function subscribe(page, callback) {
	const callbacks = subscribers.get(page) ?? new Set();
	subscribers.set(page, callbacks.add(callback));
	isStale ||= !declarations[addressOf(rootFor(page))];
	if (shown[page]) callback(shown[page]);
	work();
	return () => callbacks.delete(callback);
}

// For the inspector, which shows what a page has shown before.
export { render, sendEvent as send };
