/** An answer of the sample service. */
interface SampleAnswer {
  status: number
  body: unknown
}

interface SampleRequest {
  method: string
  /** As the gateway sent it. */
  url: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

const invoices = [
  invoice('INV-1001', '2026-01-15', 'Green Fields Bakery', '120.00', '24.00', 'accepted'),
  invoice('INV-1002', '2026-01-16', 'Harbour Tools', '980.50', '196.10', 'accepted'),
  invoice('INV-1003', '2026-01-19', 'Société Exemple', '45.00', '9.00', 'rejected'),
]

function invoice(
  number: string,
  date: string,
  customer: string,
  net: string,
  tax: string,
  state: string,
) {
  const total = ((Number(net) * 100 + Number(tax) * 100) / 100).toFixed(2)
  return { number, date, customer, currency: 'EUR', net, tax, total, state }
}

/** Headers whose values are credentials: the answer only says that they came. */
const credentials = /^(?:authorization|proxy-authorization|cookie|x-api-key)$/i

const notFound = (message: string): SampleAnswer => ({ status: 404, body: { message } })

/** What the sample service answers: invented invoices, and an echo. It keeps nothing. */
export function sampleAnswer({ method, url, headers, body }: SampleRequest): SampleAnswer {
  const parsed = URL.parse(url, 'http://sample')
  if (!parsed) return { status: 400, body: { message: 'The path is not part of a URL.' } }
  const { pathname, searchParams } = parsed
  const one = /^\/invoices\/([^/]+)$/.exec(pathname)?.[1]
  if (pathname === '/invoices' || one !== undefined) {
    if (method !== 'GET') return { status: 405, body: { message: 'Invoices are only read here.' } }
    if (one === undefined) return { status: 200, body: { data: invoices, total: invoices.length } }
    const found = invoices.find(({ number }) => number === decodeName(one))
    return found ? { status: 200, body: found } : notFound('There is no invoice of this number.')
  }
  if (pathname !== '/echo') return notFound('The sample service has /invoices and /echo.')
  return {
    status: 200,
    body: {
      method,
      path: pathname,
      query: [...searchParams].map(([name, value]) => ({ name, value })),
      headers: Object.entries(headers).map(([name, value]) => ({
        name,
        value: credentials.test(name) ? '(not shown)' : String(value),
      })),
      body,
    },
  }
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
