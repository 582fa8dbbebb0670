import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { startUpstream, type Received } from '../servers/hostile-upstream.ts'
import { laterDecisions } from './later-decisions.ts'
import type { Random } from './random.ts'

interface Accepted {
  uuid: string
  body: string
  atMs: number
}

/** A request that has arrived and was not answered yet. */
interface Held {
  /** The document's, at its endpoint. */
  key: string
  arrivedAtMs: number
  /** Answers it after all: now it is decided what becomes of it. */
  release: () => void
}

export type Authority = Awaited<ReturnType<typeof startAuthority>>

/**
 * An authority that knows what it has accepted, and answers as badly as they do: before it stores and
 * after, wrongly, late and not at all. What it calls wrong is always wrong: `"bad"` in the body.
 * At `/refusing` it mostly refuses what it was sent before, stored or not. `violations` lists what
 * no server that keeps our promises could have sent.
 */
export async function startAuthority(random: Random, now: () => number) {
  const accepted = new Map<string, Accepted>()
  const bodies = new Map<string, string>()
  /** UUIDs of requests that were answered, or cut off. */
  const answered = new Set<string>()
  const held: Held[] = []
  const violations: string[] = []
  const seen = new Map<string, number>()
  const later = laterDecisions(random, now)
  let mayHold = true
  let onHeld = () => {}
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

  /** Of a document that others speak of as well, for a while. */
  const reference = () => `D-${Math.floor(bodies.size / 6) + random.below(5)}`

  const upstream = await startUpstream((request, response, socket) => {
    later.settle()
    const [path = '', query = ''] = request.url.split('?')
    if (path === '/decision')
      return answerDecision(new URLSearchParams(query).get('no') ?? '', response)
    if (path.startsWith('/status')) {
      const asked = `${path.slice('/status'.length)} ${new URLSearchParams(query).get('no')}`
      return answerStatus(asked, response)
    }
    if (request.method !== 'POST') return answerHarmless(response, socket)
    const key = `${path} ${referenceOf(request.body)}`
    noteSent(path, key, request)
    if (!mayHold || !random.isLikely(0.12)) return answer(path, key, request, response, socket)
    const one = {
      key,
      arrivedAtMs: now(),
      release: () => {
        held.splice(held.indexOf(one), 1)
        answer(path, key, request, response, socket)
      },
    }
    held.push(one)
    count('held')
    onHeld()
  })

  /** A send of an accepted document is a second send, unless the bytes are the same and that is allowed. */
  function noteSent(path: string, key: string, request: Received): void {
    const { body } = request
    const uuid = uuidOf(request)
    if ((bodies.get(uuid) ?? body) !== body) violations.push(`${key}: ${uuid} with other bytes`)
    bodies.set(uuid, body)
    if (later.isUndecided(key)) violations.push(`${key} was sent again before it was decided`)
    const before = accepted.get(key)
    if (!before) return
    count(before.uuid === 'another sender' ? 'foreign' : 'again')
    if (before.uuid === 'another sender') return
    if (!isRepeatable(path)) violations.push(`${key} was sent again after it was accepted`)
    else if (before.uuid !== uuid) violations.push(`${key} was sent again with another UUID`)
  }

  function answer(
    path: string,
    key: string,
    request: Received,
    response: ServerResponse,
    socket: Socket,
  ): void {
    const { body } = request
    const uuid = uuidOf(request)
    if (path === '/refusing' && answered.has(uuid) && random.isLikely(0.7)) {
      count('refused again')
      return refuseRepetition(response)
    }
    answered.add(uuid)
    const how = random.pick(answers) ?? 'ok'
    count(how)
    if (how === '401' || how === '429' || how === '503') return end(response, Number(how))
    if (how === 'cut before') return void socket.destroy()
    if (body.includes('"bad"')) return end(response, 422)
    const before = accepted.get(key)
    if (before) {
      if (isRepeatable(path) || before.uuid === 'another sender') return end(response, 208)
      violations.push(`${key} arrived twice`)
      return end(response, 409)
    }
    const accept = () => void accepted.set(key, { uuid, body, atMs: now() })
    const uid = path === '/later' ? later.take(key, accept) : undefined
    if (uid === undefined) accept()
    if (how === 'cut after') return void socket.destroy()
    if (how === 'cut amid')
      return void response
        .writeHead(200, { 'content-length': 99 })
        .write('{', () => socket.destroy())
    const status = how === '500 after' ? 500 : uid === undefined ? 200 : 202
    end(response, status, { no: key.split(' ')[1], authority: 'A-1', ...(uid ? { uid } : {}) })
  }

  /** Says no to the same bytes, whether or not it has stored the document. */
  function refuseRepetition(response: ServerResponse): void {
    const status = random.pick([200, 400, 401, 404, 409, 422, 429]) ?? 400
    end(response, status, { refused: true })
  }

  /** It knows a number at once or not, and loses answers. */
  function answerDecision(uid: string, response: ServerResponse): void {
    if (random.isLikely(0.15)) return end(response, 500)
    const state = random.isLikely(0.1) ? undefined : later.stateOf(uid)
    if (state === undefined) return end(response, 404)
    count(`decision: ${state}`)
    end(response, 200, { state, number: `N-${uid}` })
  }

  /** It reports what it has processed. It does not find what is still in its queue. */
  function answerStatus(key: string, response: ServerResponse): void {
    if (random.isLikely(0.2)) return end(response, 500)
    const found = accepted.get(key)
    const isQueued = held.some((each) => each.key === key)
    const isVisible = found !== undefined && now() - found.atMs >= random.below(busyMs)
    if ((found && !isVisible) || isQueued) count('not found yet')
    end(response, isVisible ? 200 : 404)
  }

  /** The answer is open while a request is on its way. */
  const truthOf = (key: string): boolean | undefined => {
    later.settle()
    const isOpen = held.some((each) => each.key === key) || later.isUndecided(key)
    return isOpen ? undefined : accepted.has(key)
  }

  function answerHarmless(response: ServerResponse, socket: Socket): void {
    if (random.isLikely(0.1)) return void socket.destroy()
    if (random.isLikely(0.1)) return end(response, random.pick([404, 401, 503]) ?? 404)
    end(response, 200, random.isLikely(0.8) ? { no: reference() } : {})
  }

  return {
    url: upstream.url,
    accepted,
    held,
    violations,
    seen,
    reference,
    received: upstream.received,
    /** What the authority says today, beyond doubt; undefined while a request is on its way. */
    truthOf,
    /** Another sender has the authority accept a document. */
    acceptFromElsewhere: (key: string) => {
      if (truthOf(key) === false)
        accepted.set(key, { uuid: 'another sender', body: '', atMs: now() })
    },
    /** Resolves when a request is being held. */
    nextHeld: () => new Promise<void>((resolve) => (onHeld = resolve)),
    /** Nothing lies in the queue for longer than this. */
    releaseOlderThan: (ms: number) => {
      // A copy: what is released leaves the list.
      for (const one of held.filter(({ arrivedAtMs }) => now() - arrivedAtMs > ms)) one.release()
    },
    holdNoMore: () => {
      mayHold = false
    },
    close: upstream.close,
  }
}

/** What was accepted may be found this much later; a request waits as long before. */
export const busyMs = 50_000

const good = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'] as const
const stored = ['cut after', 'cut after', 'cut amid', '500 after'] as const
const refused = ['cut before', '503', '401', '429'] as const
const answers = [...good, ...stored, ...refused]

/** What an authority does that a test has not met unless it has met all of it. */
export const allBehaviour: readonly string[] = [
  ...answers,
  'held',
  'again',
  'foreign',
  'refused again',
  'not found yet',
  'decision: taken',
  'decision: valid',
  'decision: invalid',
]

/** Takes the same bytes twice without a second effect. */
const isRepeatable = (path: string) => path === '/safe' || path === '/refusing'

const uuidOf = ({ headers }: Received): string => String(headers['x-step'])

export const referenceOf = (body: string) => /"no":"(.*?)"/.exec(body)?.[1]

const end = (response: ServerResponse, status: number, body: object = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
