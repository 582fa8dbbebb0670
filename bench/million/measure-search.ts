import { quantile, rounded } from '../runs/figures.ts'
import { dice } from '../runs/planned-run.ts'
import { openTimedClient, type TimedClient } from '../runs/timed-client.ts'
import { figuresOf, money } from './figures-of-document.ts'

const callsPerView = 50

/** The question and, after `&`, its filters; `call` makes each of the fifty another one. */
type QuestionOf = (call: number) => string

const words = ['noor', 'rawabi', 'jazeera', 'falcon', 'petra', 'zamzam', 'muller', 'societe']
const arabic = ['النور', 'الروابي', 'الجزيرة', 'المنارة', 'الواحة', 'الياسمين', 'زمزم', 'الخليج']
const common = ['sar', 'riyadh', 'gatehouse', 'trading', 'inv']
const pick = (list: readonly string[], call: number) => list[call % list.length] ?? ''

function questionsOf(documents: number): Record<string, QuestionOf> {
  const number = (call: number) => 1 + dice(call, 60, documents)
  const digits = (call: number) => String(number(call)).padStart(7, '0')
  return {
    reference: (call) => `INV-2026-${digits(call)}`,
    'end of a reference': (call) => digits(call),
    'middle of a reference': (call) => `026-${digits(call).slice(0, 5)}`,
    'customer, one word': (call) => pick(words, call),
    'customer, two words': (call) => `${pick(words, call)} ${pick(['trading', 'foods'], call)}`,
    amount: (call) => {
      const { net, tax } = figuresOf(number(call))
      return money(net + tax)
    },
    Arabic: (call) => `${pick(arabic, call)} للتجارة`,
    'tax number': (call) => figuresOf(number(call)).customer.vat,
    'word of nearly every run': (call) => pick(common, call),
    'words that are never together': (call) => `${pick(['riyadh', 'cairo'], call)} طبرجل giza`,
    'no hit': (call) => `nothing${call}likethis`,
    'word and state': (call) => `${pick(words, call)}&state=rejected`,
    'word and period': (call) =>
      `${pick(words, call)}&from=2026-03-0${1 + (call % 9)}&to=2026-03-28`,
  }
}

/** Each kind of question fifty times over HTTP, one after the other; all four kinds are searched. */
export async function measureSearch(url: string, documents: number) {
  const client = await openTimedClient(url, 1)
  try {
    const rows = []
    for (const [question, of] of Object.entries(questionsOf(documents)))
      rows.push(await measureQuestion(client, question, of))
    return rows
  } finally {
    client.close()
  }
}

async function measureQuestion(client: TimedClient, question: string, of: QuestionOf) {
  const ask = async (call: number) => {
    const [text = '', ...filters] = of(call).split('&')
    const query = [`q=${encodeURIComponent(text)}`, ...filters].join('&')
    const answer = await client.get(`/api/search?${query}`)
    const { groups } = JSON.parse(answer.text) as { groups: { total: number }[] }
    return { ms: answer.ms, hits: groups.reduce((sum, { total }) => sum + total, 0) }
  }
  // The first ones are not counted: they read the index from the disk.
  for (let call = 0; call < 5; call++) await ask(1_000 + call)
  const answers = []
  for (let call = 0; call < callsPerView; call++) answers.push(await ask(call))
  const times = answers.map(({ ms }) => ms)
  const hits = answers.map((answer) => answer.hits)
  return {
    question,
    'p50, ms': rounded(quantile(times, 0.5)),
    'p95, ms': rounded(quantile(times, 0.95)),
    'hits, p50': quantile(hits, 0.5),
  }
}
