import { homeDays, waitingStates, type AuthorityDay, type HomeAnswer } from '@gatehouse/contract'
import { can, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { lastLocalDays } from '../../kernel/time/local-days.ts'
import type { Stores } from '../../stores.ts'

export interface HomeReads {
  home: Stores['home']
  counts: Stores['documentCounts']
  runs: Stores['runHistory']
}

type DayCount = Awaited<ReturnType<HomeReads['counts']['countByDay']>>[number]
type UndecidedCount = Awaited<ReturnType<HomeReads['counts']['countUndecided']>>[number]

/** What the home screen shows and no other list has. */
export class HomeService {
  readonly #reads: HomeReads
  readonly #clock: Clock

  constructor(reads: HomeReads, clock: Clock) {
    this.#reads = reads
    this.#clock = clock
  }

  /** Leaves out what the caller may not see. */
  async show(zone: string, register: string, caller: Caller): Promise<HomeAnswer> {
    if (!can(caller, 'run.view')) return {}
    const [waiting, documents] = await Promise.all([
      this.#reads.runs.countWaiting(waitingStates, register),
      this.#documents(zone, register),
    ])
    return { waiting, documents }
  }

  async #documents(zone: string, register: string): Promise<HomeAnswer['documents']> {
    const { counts, home } = this.#reads
    const { dates, bounds } = lastLocalDays(this.#clock.now(), zone, homeDays)
    const isShown = (count: Counted) => register === '' || count.register === register
    const [days, undecided, deadlines] = await Promise.all([
      counts.countByDay(bounds).then((found) => Map.groupBy(found.filter(isShown), rowOf)),
      counts.countUndecided().then((found) => Map.groupBy(found.filter(isShown), rowOf)),
      home.firstDeadlines(),
    ])
    const rows = new Map(
      [...days.values(), ...undecided.values()].flat().map((each) => [rowOf(each), each]),
    )
    const ids = new Set([...rows.values()].map(({ api_id }) => api_id))
    const apis = new Map((await home.namesOfApis([...ids])).map((api) => [api.id, api]))
    const deadlineOf = new Map(deadlines.map((each) => [each.api_id, each.deadline_at]))
    const authorities = [...rows].map(([key, { api_id: id, register: own }]) => ({
      api: id === 0 ? null : { id, name: apis.get(id)?.name ?? null },
      register: own,
      ...daysOf(days.get(key) ?? []),
      ...undecidedOf(undecided.get(key) ?? []),
      // What is still to be sent goes to the register that the API has now.
      deadline_at: (apis.get(id)?.document_register === own && deadlineOf.get(id)) || null,
    }))
    return { days: dates, authorities: authorities.toSorted(byName) }
  }
}

type Counted = Pick<DayCount, 'api_id' | 'register'>
const rowOf = ({ api_id, register }: Counted) => `${api_id} ${register}`

/** Those without a name last. */
const byName = (
  { api: one, register: first }: AuthorityDay,
  { api: other, register: second }: AuthorityDay,
) =>
  Number(one?.name == null) - Number(other?.name == null) ||
  (one?.name ?? '').localeCompare(other?.name ?? '', 'en') ||
  (one?.id ?? 0) - (other?.id ?? 0) ||
  first.localeCompare(second, 'en')

function daysOf(counts: readonly DayCount[]): Pick<AuthorityDay, 'today' | 'days'> {
  const days = Array.from({ length: homeDays }, () => ({
    accepted: 0,
    not_accepted: 0,
    unresolved: 0,
  }))
  const today: AuthorityDay['today'] = {}
  for (const { day, state, documents } of counts) {
    const sums = days[day]
    if (!sums) continue
    sums[state === 'accepted' || state === 'not_accepted' ? state : 'unresolved'] += documents
    if (day === homeDays - 1) today[state] = documents
  }
  return { today, days }
}

const undecidedOf = (counts: readonly UndecidedCount[]) => {
  const of = (state: UndecidedCount['state']) => {
    const found = counts.find((each) => each.state === state)
    return found ? { documents: found.documents, oldest_at: found.oldest_at } : null
  }
  return { unknown: of('unknown'), pending: of('pending') }
}
