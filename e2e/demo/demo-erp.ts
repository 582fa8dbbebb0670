import { answer, listen, type DemoServer } from './demo-authority.ts'

const customers = ['Green Fields Bakery', 'Harbour Books', 'Nile Textiles', 'Otto Werkzeuge']

/** Sales of a small shop. One has no tax number, and the answer to one gets lost. */
const sales = Array.from({ length: 12 }, (_, at) => ({
  number: at === 8 ? 'SALE-109-LOST' : `SALE-${101 + at}`,
  customer: { name: customers[at % 4]!, tax_number: at === 5 ? '' : `30000${at % 4}1` },
  total: `${(at + 1) * 115}.50`,
}))

/** A small ERP: `GET /sales` lists what it sold, `GET /sales/{number}` has one sale. */
export const startDemoErp = (port: number): Promise<DemoServer> =>
  listen(port, async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://erp')
    if (pathname === '/sales') return answer(response, 200, { sales })
    const found = sales.find(({ number }) => pathname === `/sales/${number}`)
    return answer(response, found ? 200 : 404, found ?? { message: 'There is no such sale.' })
  })

/** Sends each sale as the ERP does: with its token, to a workflow of Gatehouse, and waits for its end. */
export async function sendSales(url: string, token: string): Promise<void> {
  for (const sale of sales) {
    const taken = await fetch(`${url}/api/workflows/demo-sales/runs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `demo-erp-${sale.number}`,
        prefer: 'wait=30',
      },
      body: JSON.stringify(sale),
    })
    const text = await taken.text()
    // A run that the authority rejects is a result too.
    if (!text.includes('"run"')) throw new Error(`${sale.number}: ${taken.status} ${text}`)
  }
}
