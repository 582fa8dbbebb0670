// Databases: SQLite.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

// What an authority says is kept with the step and the document.

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())

let count = 0
async function send(run_settings: object, answer: Parameters<RunServer['answer']>[0]) {
  const end_point = await app.endpoint({ run_settings: { reference_path: 'no', ...run_settings } })
  app.answer(answer)
  const sent = await app.tax([{ end_point, body: JSON.stringify({ no: `W-${++count}` }) }])
  const run = await app.show(runOf(sent).id)
  return { sent, run, step: run.steps[0] }
}
const words = { message_path: "errors[*].message, warnings[*].message, $['a,b']" }

describe('the words of the authority', () => {
  it('stand behind the reason of a refusal, in the run and in the answer', async () => {
    const { sent, step } = await send(
      words,
      json(422, { errors: [{ message: 'No TIN' }, { message: 'No date' }], 'a,b': 'more' }),
    )
    const message = 'The endpoint rejected it (it answered 422): No TIN · No date · more'
    expect(step?.message).toBe(message)
    expect(sent.text).toContain(message)
  })

  it('are shown as warnings of what was accepted', async () => {
    const { run, step } = await send(words, json(200, { warnings: [{ message: 'Late' }] }))
    expect([run.state, step?.message]).toEqual(['succeeded', 'It says: Late'])
  })

  it('are not there where nothing is said, and are cut where much is', async () => {
    expect((await send(words, json(200, {}))).step?.message).toBeNull()
    const long = await send(words, json(400, { errors: [{ message: 'x'.repeat(5_000) }] }))
    expect(long.step?.message?.length).toBeLessThan(1_100)
  })

  it('of ZATCA stand with a cleared document and with a refusal', async () => {
    const said = (status: string, messages: object) => ({
      clearanceStatus: status,
      validationResults: { status: 'WARNING', ...messages },
    })
    const settings = { profile: 'zatca-clearance', reference_path: 'no' }
    const warned = said('CLEARED', { warningMessages: [{ message: 'Rounding' }] })
    expect((await send(settings, json(202, warned))).step?.message).toBe('It says: Rounding')
    const off = said('NOT_CLEARED', { errorMessages: [{ message: 'Clearance is off' }] })
    const refused = await send(settings, json(303, off))
    expect(refused.run.state).toBe('rejected')
    expect(refused.step?.message).toMatch(/\(it answered 303\): Clearance is off$/)
  })
})

describe('the number of the authority', () => {
  const numberOf = ({ step }: Awaited<ReturnType<typeof send>>) =>
    step?.documents[0]?.authority_reference

  it.each([
    ['https://erp.example.com/record/v1/invoice/647', '647'],
    ['/invoices/INV%2F7?x=1', 'INV/7'],
    ['', null],
    ['/', null],
  ])('in Location %j is %s', async (location, number) => {
    const headers = location === '' ? {} : { location }
    expect(numberOf(await send({}, json(201, '', headers)))).toBe(number)
  })

  it('in the body counts before the one in Location', async () => {
    const settings = { authority_reference_path: 'id' }
    expect(numberOf(await send(settings, json(201, { id: 'A-1' }, { location: '/x/2' })))).toBe(
      'A-1',
    )
    expect(numberOf(await send(settings, json(201, {}, { location: '/x/2' })))).toBe('2')
  })

  it('is not read from a refusal', async () => {
    expect(numberOf(await send({}, json(422, {}, { location: '/x/3' })))).toBeNull()
  })
})
