import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { MortalServer } from '../hostile-authority/mortal-server.ts'
import type { ShownRun } from './claims.ts'
import { readBatch, readResults, uploadBatch } from './machine-batch.ts'
import { handIn, inputOf, lookUp, type Machine } from './machine-caller.ts'
import type { Authorities } from './run-authorities.ts'

export interface Calling {
  /** Inputs of the batch. */
  inputs: number
  /** Documents of each machine, at least; it goes on until the kills are over. */
  documents: number
  /** The longest pause of a machine for each document. */
  pauseMs: number
  /** One authority is away for so long. */
  outage: { afterMs: number; forMs: number }
}

interface Callers {
  machines: readonly Machine[]
  servers: readonly MortalServer[]
  authorities: Authorities
}

/** The batch goes to this one, and the machines send to all. */
const batchWorkflow = 'careless'
/** Order keys of the batch: the next document of a key waits while the lane could send it. */
const customersOf = (inputs: number) => Math.min(20, Math.ceil(inputs / 10))
const workflows = ['careful', 'later', 'moody', 'careless'] as const
const lookEveryMs = 2_000

/**
 * Hands everything in while the servers are killed. Resolves when the kills are over and the lane has
 * carried out nine tenths of the batch; the rest waits for a person, or for documents that do.
 */
export async function callAndBatch(options: Calling, { machines, servers, authorities }: Callers) {
  const machine = machines[0]!
  const { claims } = machine
  const customers = customersOf(options.inputs)
  const inputs = Array.from({ length: options.inputs }, (_, index) =>
    inputOf(batchWorkflow, `c${index % customers}`, Math.floor(index / customers)),
  )
  const uploading = uploadBatch(machine, batchWorkflow, inputs)
  const isOver = () => servers.every((server) => server.isSpared())
  const calling = machines.map((each) => callOn(each, options, isOver))
  const batch = { machine, workflow: batchWorkflow, id: await uploading }
  for (const { no } of inputs) claims.references.add(no)
  const carried = watchBatch(batch, inputs.length, isOver)
  await Promise.all([...calling, beAway(options, authorities), carried])

  return {
    /** What the product shows of each document, by its reference. */
    lookUpAll: async (): Promise<Map<string, ShownRun>> => {
      const final = new Map<string, ShownRun>()
      for (const each of machines) for (const run of await lookUpOwn(each)) final.set(...run)
      for (const run of await readResults(batch)) final.set(...run)
      return final
    },
  }
}

async function beAway({ outage }: Calling, authorities: Authorities): Promise<void> {
  await delay(outage.afterMs)
  authorities.away('moody')
  await delay(outage.forMs)
  authorities.back('moody')
}

/** Sends two documents to one authority, then to the next, at its own pace. */
async function callOn(machine: Machine, options: Calling, isOver: () => boolean): Promise<void> {
  for (let number = 0; number < options.documents || !isOver(); number++) {
    const workflow = workflows[Math.floor(number / 2) % workflows.length]!
    // Both have the same order key: the second is handed in when the first was taken.
    await handIn(machine, workflow, number)
    if (number % 2 === 1) await delay(randomInt(2 * options.pauseMs))
  }
}

/** Notes what is shown of a batch, until only a tenth of it is queued or under way. */
async function watchBatch(
  batch: Parameters<typeof readBatch>[0],
  inputs: number,
  isOver: () => boolean,
): Promise<void> {
  const { claims } = batch.machine
  for (;;) {
    const counts = await readBatch(batch).catch(() => undefined)
    for (const shown of await readResults(batch).catch(() => [])) claims.shown(...shown)
    const { queued = 0, running = 0 } = counts ?? {}
    if (counts && (queued + running) * 10 < inputs && isOver()) return
    await delay(lookEveryMs)
  }
}

/** The runs of the documents that a machine has handed in one by one. */
async function lookUpOwn(machine: Machine): Promise<[string, ShownRun][]> {
  const { claims, name } = machine
  const found: [string, ShownRun][] = []
  for (const [reference, id] of claims.runs) {
    const [workflow = '', customer] = reference.split('/')
    if (customer !== name) continue
    const run = await lookUp(machine, workflow, id)
    if (run) found.push([run.reference ?? '', run])
  }
  return found
}
