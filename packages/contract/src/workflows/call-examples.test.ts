import { expect, it } from 'vitest'
import { callLanguages, workflowCallExamples } from './call-examples.ts'

const codesFor = (sample: string, base = 'https://gate.example.com/') =>
  new Map(
    workflowCallExamples(base, 'invoices', sample).map(({ language, code }) => [language, code]),
  )

it('every language calls the workflow with a key, and holds the sample as it was written', () => {
  const codes = codesFor('{"total":0.10,"id":12345678901234567890}')
  expect([...codes.keys()]).toEqual([...callLanguages])
  for (const code of codes.values()) {
    expect(code).toContain('https://gate.example.com/api/workflows/invoices/runs')
    expect(code).toContain('"total": 0.10,\n  "id": 12345678901234567890')
    expect(code).toContain('GATEHOUSE_TOKEN')
    expect(code.toLowerCase()).toContain('idempotency-key')
  }
})

it('JavaScript gets an object, unless it would round a number or lose a key', () => {
  expect(codesFor('{"total":1.5}').get('Node')).toContain('const input = {')
  for (const sample of ['{"total":0.10}', '{"b":1,"1":2}', '{"__proto__":{}}'])
    expect(codesFor(sample).get('Node')).toContain('const body = `')
})

it.each(['', 'no JSON', '{'])('the sample %j is an empty object', (sample) => {
  expect(codesFor(sample).get('curl')).toContain("<<'JSON'\n{}\nJSON\n")
})

it('no address ends the text that it is in', () => {
  for (const code of codesFor('{}', 'https://gate.example.com/a\'"`$(x)').values())
    expect(code).toContain('https://gate.example.com/a%27%22%60$(x)/api/')
})
