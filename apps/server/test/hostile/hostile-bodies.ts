import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { routes, type Route } from '@gatehouse/contract'
import { samplesOf } from '../rows/wrong-values.ts'

// Bodies as large as a route takes that cost much to read, for the sweeps of the route table.

const usualLimitBytes = 1024 * 1024
const uploadBytes = 4 * 1024 * 1024

const all: readonly Route[] = routes
export const routesWithBody = all.filter(({ body }) => body)

/** The unit as often as it fits between the two ends. */
function filled(limit: number, start: string, unit: string, end: string): Buffer {
  const count = Math.floor((limit - start.length - end.length) / Buffer.byteLength(unit))
  return Buffer.from(start + unit.repeat(count) + end)
}

/** One for each way in which JSON is expensive: by depth, by its values, by its texts, by its numbers. */
export const hostileJson: Record<string, (limit: number) => Buffer> = {
  'brackets without an end': (limit) => filled(limit, '', '[', ''),
  'brackets that are closed': (limit) => Buffer.from('['.repeat(limit / 2) + ']'.repeat(limit / 2)),
  'depth that is just allowed, again and again': (limit) =>
    filled(limit, '[', `${'['.repeat(31)}${']'.repeat(31)},`, '0]'),
  'many keys': manyKeys,
  'one giant text': (limit) => filled(limit, '{"a":"', 'x', '"}'),
  'one giant text that is not ASCII': (limit) => filled(limit, '{"a":"', '\u65e5', '"}'),
  'escapes of zero': (limit) => filled(limit, '{"a":"', '\\u0000', '"}'),
  'escapes of other scripts': (limit) => filled(limit, '{"a":"', '\\u65e5', '"}'),
  'short escapes': (limit) => filled(limit, '{"a":"', '\\n', '"}'),
  'a key of escapes': (limit) => filled(limit, '{"', '\\u0041', '":1}'),
  'a number of a million digits': (limit) => filled(limit, '{"a":', '9', '}'),
  'a fraction of a million digits': (limit) => filled(limit, '{"a":0.', '3', 'e-5}'),
  'many small elements': (limit) => filled(limit, '[', '0,', '0]'),
  'many objects': (limit) => filled(limit, '[', '{},', '0]'),
  'wrong at its last byte': (limit) => filled(limit, '{"a":"', 'x\\"', '"x'),
  'as many values as are allowed, then wrong': (limit) =>
    filled(limit, `[${'0,'.repeat(Math.min(59_000, limit / 4))}"`, 'x', '"x'),
  'bytes that are not UTF-8': (limit) => Buffer.alloc(limit, 0xff),
  blanks: (limit) => filled(limit, '{', ' ', '}'),
}

function manyKeys(limit: number): Buffer {
  const width = '"00000000":1,'.length
  const keys = Array.from(
    { length: Math.floor((limit - 8) / width) },
    (_, at) => `"${String(at).padStart(8, '0')}":1`,
  )
  return Buffer.from(`{${keys.join(',')}}`)
}

/** Text that is dear to whatever reads it within a field: JSON, YAML, a mapping, a pattern. */
const textsInFields: Record<string, string> = {
  brackets: '[',
  anchors: '- &a [*a,*a]\\n',
  escapes: '\\n',
  words: 'ab ',
  'marks in the wrong order': '\u0315\u0300',
}

/** The first body that the schema of a route describes, with texts that fill it in each of its fields. */
export function* withGiantFields(
  route: Route,
  limit: number,
  kinds = Object.keys(textsInFields),
): Generator<[string, Buffer]> {
  const [sample] = samplesOf(route.body)
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return
  for (const [field, value] of Object.entries(sample)) {
    if (typeof value !== 'string') continue
    const [start = '', end = ''] = JSON.stringify({ ...sample, [field]: '\u0001' }).split('\\u0001')
    for (const kind of kinds)
      yield [`${kind} in ${field}`, filled(limit, start, textsInFields[kind]!, end)]
  }
}

/** Of uploads, by media type: they have no end that a limit of the route sets. */
export const hostileUploads: [string, string, Buffer][] = [
  ['text/csv', 'many short rows', filled(uploadBytes, 'id\n', 'A\n', '')],
  ['text/csv', 'one endless row', filled(uploadBytes, 'id\n', 'A,', '')],
  ['text/csv', 'quotes within quotes', filled(uploadBytes, 'id\n"', '""', '"')],
  ['application/x-ndjson', 'blank lines', filled(uploadBytes, '', '\n', '{}')],
  ['application/x-ndjson', 'brackets', filled(uploadBytes, '', '[', '')],
  [
    'application/x-ndjson',
    'deep lines',
    filled(uploadBytes, '', `{"id":${'['.repeat(5_000)}\n`, ''),
  ],
  ['application/json', 'many elements', filled(uploadBytes, '[', '{},', '{}]')],
  ['application/json', 'brackets', filled(uploadBytes, '', '[', '')],
  ['application/json', 'escapes', filled(uploadBytes, '[{"id":"', '\\n', '"}]')],
]

export const limitOf = ({ bodyLimitBytes = usualLimitBytes }: Route): number => bodyLimitBytes

interface Sending {
  url: string
  token: string
  type?: string
}

const agent = new Agent({ keepAlive: true })

/** Sends a body to a route and returns the status once the answer has ended. */
export async function sendBody(route: Route, body: Buffer, sending: Sending): Promise<number> {
  const { url, token, type = 'application/json' } = sending
  const path = route.path.replace(':slug', 'invoices').replace(/:\w+/g, '999999')
  const sent = request(url + path, {
    agent,
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': type,
      'content-length': body.length,
      'idempotency-key': crypto.randomUUID(),
    },
  })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}
