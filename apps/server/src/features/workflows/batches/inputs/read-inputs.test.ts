import type { BatchType } from '@gatehouse/contract'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RawInput } from './raw-input.ts'
import { readUpload } from './read-inputs.ts'

/** The upload in pieces of so many bytes. */
async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(
  text: string,
  type: BatchType,
  { size = 3, schema = null }: { size?: number; schema?: unknown } = {},
) {
  const inputs: RawInput[] = []
  for await (const each of readUpload(pieces(text, size), type, schema).inputs) inputs.push(each)
  return inputs
}
const texts = (inputs: RawInput[]) =>
  inputs.map((each) => ('text' in each ? each.text : each.errors))

describe('a JSON array', () => {
  it.each([1, 2, 7, 1000])(
    'gives its elements as they were written, in pieces of %i bytes',
    async (size) => {
      const elements = [
        '{"a":"],\\"[","ü":1.50}',
        '[1, [2,{"b":"}"}]]',
        '12345678901234567890',
        '""',
        'null',
      ]
      const found = await read(`\uFEFF [ ${elements.join(' ,\n')} ]\n`, 'application/json', {
        size,
      })
      expect(texts(found)).toEqual(elements)
      expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
    },
  )
  it('may be empty', async () => expect(await read(' [ ] ', 'application/json')).toEqual([]))
  it.each(['', '{"a":1}', '[1', '[1,]', '[,1]', '[1] 2', '[1,,2]'])(
    'is refused: %s',
    async (text) => {
      await expect(read(text, 'application/json')).rejects.toMatchObject({
        code: 'request.malformed',
      })
    },
  )
})

describe('JSON lines', () => {
  it('are an input each, blank ones apart', async () => {
    const found = await read('{"a":1}\r\n\n {"b":0.10}\n3', 'application/x-ndjson')
    expect(texts(found)).toEqual(['{"a":1}', '{"b":0.10}', '3'])
  })
})

describe('CSV', () => {
  const schema = {
    type: 'object',
    properties: {
      no: { type: 'string' },
      total: { type: ['number', 'null'] },
      paid: { type: 'boolean' },
      lines: { type: 'array', items: { type: 'object', properties: { qty: { type: 'integer' } } } },
    },
  }
  it('takes places from its header and types from the schema', async () => {
    const text =
      '\uFEFFno,total,paid,customer.name,lines[0].qty\r\n"0012",10.50,true,"A ""B"", C",3\r\nX,,,,\r\n'
    expect(texts(await read(text, 'text/csv', { schema }))).toEqual([
      '{"no":"0012","total":10.50,"paid":true,"customer":{"name":"A \\"B\\", C"},"lines":[{"qty":3}]}',
      '{"no":"X"}',
    ])
  })
  it('names the column of a cell that does not fit', async () => {
    const [bad] = await read('no,total\nA,ten', 'text/csv', { schema })
    expect(bad).toMatchObject({ line: 1, errors: { total: [expect.stringContaining('ten')] } })
  })
  it.each(['a,a\n1,2', 'a..b\n1', '__proto__\n1', 'a[*].b\n1', ''])(
    'refuses the header of %j',
    async (text) => {
      await expect(read(text, 'text/csv')).rejects.toMatchObject({ code: 'request.invalid' })
    },
  )
  it('leaves no listeners behind, however large it is', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const rows = `no,note\n${`A,${'x'.repeat(1_000)}\n`.repeat(3_000)}`
    expect(await read(rows, 'text/csv', { size: 65_536 })).toHaveLength(3_000)
    await nextTurn()
    expect(warnings).toEqual([])
  })
  it('names the rows that have other columns than the header, and reads the others', async () => {
    expect(texts(await read('a,b\n1\n1,2\n1,2,3', 'text/csv'))).toEqual([
      { '': [expect.stringContaining('The row has 1 cell and the header 2.')] },
      '{"a":"1","b":"2"}',
      { '': [expect.stringContaining('The row has 3 cells and the header 2.')] },
    ])
  })
})

it('refuses what is not UTF-8', async () => {
  const bytes = (async function* () {
    yield Buffer.from([0x5b, 0xff, 0x5d])
  })()
  const { inputs } = readUpload(bytes, 'application/json', null)
  const read = async () => {
    for await (const each of inputs) expect(each).toBeUndefined()
  }
  await expect(read()).rejects.toMatchObject({ code: 'request.malformed' })
})

it.each([
  ['text/csv', 'no\nA\n'],
  ['application/x-ndjson', '{}\n'],
  ['application/json', '[{}'],
] as const)('says that an upload of %s broke off', async (type, start) => {
  const bytes = (async function* () {
    yield Buffer.from(start)
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  })()
  const read = async () => {
    for await (const each of readUpload(bytes, type, null).inputs) expect(each.line).toBe(1)
  }
  const refusal = { code: 'request.malformed', message: 'The upload broke off.' }
  await expect(read()).rejects.toMatchObject(refusal)
})

describe('the places of rows in a CSV file', () => {
  const rows = ['a,b\r\n', '1,"x\ny"\r\n', '\r\n2,ä\r\n', '3\r\n', '4,z']
  it.each([1, 3, 1000])('are their bytes and lines, in pieces of %i bytes', async (size) => {
    const text = `\uFEFF${rows.join('')}`
    const upload = readUpload(pieces(text, size), 'text/csv', null)
    const bytes = Buffer.from(text)
    const found: [number | undefined, string][] = []
    for await (const { place } of upload.inputs) {
      const range = place && bytes.subarray(...place.range)
      found.push([place?.fileLine, range?.toString() ?? ''])
    }
    expect(found).toEqual([
      [2, rows[1]],
      [5, rows[2]],
      [6, rows[3]],
      [7, rows[4]],
    ])
    expect(upload.header()).toEqual({ columns: ['a', 'b'], bytes: 8 })
  })
})
