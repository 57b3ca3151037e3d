// Sends lists of objects with the client that openapi-generator has generated as typescript-fetch from Examples/orders, and reads them.
// usage: orders.js ADDRESS
import { Configuration, Line, PagesApi, Problem, ResponseError, SessionsApi, Size } from './client';

declare const process: { argv: string[]; exit(status: number): never };

function check(condition: boolean, value: unknown): asserts condition {
    if (!condition) throw new Error(JSON.stringify(value));
}

async function main(): Promise<void> {
    let token = '';
    const configuration = new Configuration({ basePath: process.argv[2], accessToken: () => token });
    const pages = new PagesApi(configuration);
    token = (await new SessionsApi(configuration).startSession()).token;
    const lines: Line[] = [
        { product: 'tea', size: 'small', count: 2 },
        { product: 'cake', size: Size.Large, count: 1 },
    ];
    const order = (day: Date) =>
        pages.sendOrder({
            orderButtonPressed: { event: 'orderButtonPressed', values: { lines, day } },
            prefer: 'return=representation',
        });
    // @ts-expect-error A text that is none of the choices does not compile.
    const misuse: Line = { product: 'tea', size: 'huge', count: 2 };
    check(misuse.count === 2, misuse);

    const placed = (await order(new Date('2027-03-01'))).rendered;
    check(placed?.lines?.[1]?.size === Size.Large && placed.lines[0].product === 'tea', placed);
    check(placed.total?.toFixed(2) === '8.50', placed);
    check((await pages.sendOrders({ viewDidLoad: { event: 'viewDidLoad' } })).ok, 'orders');
    const shown = (await pages.showOrders()).rendered.orders?.[0];
    check(shown?.lines[1].count === 1 && shown.day.toISOString().startsWith('2027-03-01'), shown);
    check(shown.placed.getTime() > 0, shown);
    try {
        await order(new Date('2028-03-01'));
    } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        const late = (await error.response.json()) as Problem;
        check(late.code === 'valueOutOfRange' && late.errors?.[0].pointer === '/values/day', late);
        return;
    }
    throw new Error('no problem');
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
