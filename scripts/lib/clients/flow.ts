// Uses the client that openapi-generator has generated as typescript-fetch. usage: flow.js ADDRESS
import {
    Configuration,
    PagesApi,
    Problem,
    ResponseError,
    RulesApi,
    ServiceApi,
    SessionsApi,
    ProductOnStartValuesFromJSON,
} from './client';

declare const process: { argv: string[]; exit(status: number): never };

function check(condition: boolean, value: unknown): asserts condition {
    if (!condition) throw new Error(JSON.stringify(value));
}

async function problem(call: () => Promise<unknown>): Promise<Problem> {
    try {
        await call();
    } catch (error) {
        if (error instanceof ResponseError) return (await error.response.json()) as Problem;
        throw error;
    }
    throw new Error('no problem');
}

async function main(): Promise<void> {
    let token = '';
    const configuration = new Configuration({ basePath: process.argv[2], accessToken: () => token });
    const pages = new PagesApi(configuration);
    const rules = new RulesApi(configuration);
    const service = new ServiceApi(configuration);
    const sessions = new SessionsApi(configuration);
    token = (await sessions.startSession()).token;

    // Registration
    const register = (userID: string) =>
        pages.sendRegister({
            textFieldDidEndEditing: { event: 'textFieldDidEndEditing', values: { userID } },
        });
    const invalid = await register('123');
    check(!invalid.ok && invalid.errors?.[0]?.code === 'registration.invalidUserID', invalid);
    check(invalid.errors[0].field === 'userID' && invalid.errors[0].parameters?.['digits'] === 12, invalid);
    const valid = await register(' 012345 678912 ');
    check(valid.ok && valid.commands[0]?.value === '012345678912', valid);
    const shown = await pages.showRegister();
    check(shown.rendered.userID === '012345678912', shown);
    // @ts-expect-error A request without its event does not compile.
    const misuse = () => pages.sendRegister({ textFieldDidEndEditing: { userID: '123' } });
    check(typeof misuse === 'function', misuse);

    // Login, which replaces the token
    const login = (password: string, idempotencyKey?: string) =>
        pages.sendLogin({
            loginEvent: { event: 'loginButtonPressed', values: { username: 'batman', password } },
            idempotencyKey,
        });
    const wrong = await login('robin');
    check(!wrong.ok && wrong.errors?.[0]?.code === 'login.wrongCredentials' && !wrong.token, wrong);
    const right = await login('bruce', 'login-1');
    check(right.ok && right.commands[0]?.href === '/home', right);
    const again = await login('bruce', 'login-1');
    check(again.token === right.token, again);
    check((await problem(() => sessions.showSession())).code === 'notAuthenticated', token);
    token = right.token ?? '';
    const user = await sessions.showSession();
    check(user.user.username === 'batman', user);
    const home = await pages.sendHome({ homeEvent: { event: 'viewDidLoad' } });
    check(home.commands[0]?.key === 'username' && home.commands[0].value === 'batman', home);

    // Sign-up, up to the third attempt
    const codes: (string | undefined)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
        const values = { name: 'Lisa', email: 'lisa@rules', password: 'maggie' };
        const response = await pages.sendSignup({ signupEvent: { event: 'submitButtonPressed', values } });
        codes.push(response.errors?.[0]?.code);
    }
    check(codes.join() === 'signup.unsuccessful,signup.unsuccessful,signup.tooManyAttempts', codes);

    // Products
    check((await pages.sendProducts({ productsEvent: { event: 'onStart' } })).ok, 'products');
    const products = (await pages.showProducts()).rendered.products ?? [];
    check(products[0]?.name === 'Car', products);
    const selection = { event: 'onSelected' as const, values: { product: products[0].name } };
    const selected = (await pages.sendProducts({ productsEvent: selection })).commands[0];
    check(selected?.href === '/product' && selected.values?.['product'] === 'Car', selected);
    const values = ProductOnStartValuesFromJSON(selected.values);
    const detail = await pages.sendProduct({ productOnStart: { event: 'onStart', values } });
    check(detail.commands[1]?.value.description === 'A beautiful car', detail);

    // Rules
    const checks = [{ rule: 'userID' as const, value: '012345678912' }, { rule: 'email' as const, value: 'lisa@rules' }];
    const { results } = await rules.validate({ validationRequest: { checks } });
    check(results[0]?.valid === true && results[1]?.code === 'email.invalid', results);
    const one = await rules.validateValue({ rule: 'userID', valueToCheck: { value: ' 012345 678912 ' } });
    check(one.valid && one.normalised === '012345678912', one);
    const all = await rules.showRules();
    check(all.rules.some((rule) => rule.rule === 'email'), all);

    // A problem, with members that help
    const long = await problem(() => rules.validateValue({ rule: 'email', valueToCheck: { value: 'a'.repeat(300) } }));
    check(long.code === 'valueTooLong' && long.maximum === 254, long);
    const unknown = await problem(() => service.explainProblem({ code: 'nothing' }));
    check(unknown.codes?.includes('missingField') === true, unknown);

    // History
    const history = await sessions.showHistory();
    check(history.commands[history.commands.length - 1]?.sequence === history.sequence, history);
    const later = await sessions.showHistory({ since: history.sequence - 1 });
    check(later.commands.length === 1 && later.commands[0]?.sequence === history.sequence, later);
    await sessions.endSession();
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
