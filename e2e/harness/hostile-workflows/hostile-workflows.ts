import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMortalServers, type MortalServer } from '../hostile-authority/mortal-server.ts'
import { signIn } from '../run-product.ts'
import { hostileAuthorities, type HostileAuthority, type LimitsByName } from './authorities.ts'
import type { AuthorityRecord } from './authority-record.ts'
import { callAndBatch, type Calling } from './call-and-batch.ts'
import { Claims, type ShownRun } from './claims.ts'
import { judgeLimits, judgeRepeats } from './judge-calls.ts'
import { judgeDocuments, type DocumentFaults } from './judge-documents.ts'
import { judgeOrder } from './judge-order.ts'
import type { Machine } from './machine-caller.ts'
import { Operator } from './operator.ts'
import { liftLimits, registerMachines, registerWorkflow } from './register-workflows.ts'
import { runAuthorities, type Authorities } from './run-authorities.ts'

export interface HostileWorkflowsRun extends Calling {
  callers: number
  /** SIGKILLs of each server. */
  kills: number
  /** Each kill comes at a random moment within so long after the server was ready again. */
  killWithinMs: number
  /** After every tenth kill a server stays away for so long. */
  longAwayMs?: number
  limits: LimitsByName
  seed: number
  /** Two servers share this PostgreSQL; without it there is one, on SQLite. */
  databaseUrl?: string
  /** How long it may take to settle what is left when the kills are over. */
  settleWithinMs: number
}

interface HostileWorkflowsReport extends DocumentFaults {
  kills: number
  documents: number
  /** Answers of documents that had been taken before. */
  repeatedAnswers: number
  /** Documents by the state in which they ended. */
  states: Record<string, number>
  /** Calls that the authorities have seen. */
  calls: number
  /** By lane: the most at once and in any window, of what its limits allow. */
  busiest: Record<string, string>
  seconds: number
  outOfOrder: string[]
  limitsPassed: string[]
  /** Sent again by itself, although it may have been received. */
  repeated: string[]
}

/** What may not be in a report. */
export const faultsOf = (report: HostileWorkflowsReport): string[] => {
  const { acceptedTwice, lost, wrong, outOfOrder, limitsPassed, repeated } = report
  return [...acceptedTwice, ...lost, ...wrong, ...outOfOrder, ...limitsPassed, ...repeated]
}

/**
 * Machines and a batch send documents through workflows to hostile authorities, while the servers are
 * killed. When the kills are over, the lanes have carried out the batch, and everything else is settled,
 * holds what the product has shown against what the authorities recorded.
 */
export async function faceHostileAuthorities(
  options: HostileWorkflowsRun,
): Promise<HostileWorkflowsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-workflows-'))
  const described = hostileAuthorities(options.limits)
  const authorities = await runAuthorities(described, join(folder, 'record.jsonl'), options.seed)
  const servers: MortalServer[] = []
  try {
    const { databaseUrl, kills, killWithinMs: withinMs, longAwayMs } = options
    const fleet = { folder, databaseUrl, kills, withinMs, longAwayMs }
    servers.push(...(await runMortalServers(fleet)))
    return await carryAll(options, authorities, servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await authorities.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function carryAll(
  options: HostileWorkflowsRun,
  authorities: Authorities,
  servers: MortalServer[],
): Promise<HostileWorkflowsReport> {
  const beganMs = performance.now()
  const calls = await Promise.all(servers.map(({ url }) => signIn(url)))
  const call = calls[0]!
  const described = hostileAuthorities(options.limits)
  const workflows = await Promise.all(
    described.map((each) => registerWorkflow(call, each, authorities.urlOf(each.name))),
  )
  const tokens = await registerMachines(call, workflows, options.callers)
  const claims = new Claims()
  const machines = tokens.map((token, number): Machine => ({
    name: `m${number}`,
    token,
    servers,
    claims,
  }))
  const operator = new Operator(servers, calls)
  for (const server of servers) server.expose()
  const lookingAfter = operator.lookAfter()
  const sent = await callAndBatch(options, { machines, servers, authorities })
  operator.stop()
  await lookingAfter
  await authorities.mark()
  await liftLimits(call, workflows)
  await operator.settle(options.settleWithinMs)
  const final = await sent.lookUpAll()
  return {
    kills: servers.reduce((total, server) => total + server.kills(), 0),
    seconds: Math.round((performance.now() - beganMs) / 1_000),
    ...judge({ described, claims, final, operator, record: authorities.record() }),
  }
}

interface Evidence {
  described: readonly HostileAuthority[]
  record: AuthorityRecord
  claims: Claims
  /** What the product shows in the end, by reference. */
  final: ReadonlyMap<string, ShownRun>
  operator: Operator
}

function judge({ described, record, claims, final, operator }: Evidence) {
  const { busiest, passed } = judgeLimits(record, described)
  return {
    documents: claims.references.size,
    repeatedAnswers: claims.repeated,
    states: countStates([...final.values()]),
    calls: record.came.length,
    busiest,
    ...judgeDocuments(record, claims, final),
    outOfOrder: judgeOrder(record, described, operator.resends),
    limitsPassed: passed,
    repeated: judgeRepeats(record, operator.resends),
  }
}

function countStates(runs: readonly { state: string }[]): Record<string, number> {
  const byState = Map.groupBy(runs, ({ state }) => state)
  return Object.fromEntries([...byState].map(([state, { length }]) => [state, length]))
}
