import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withChanges } from '@gatehouse/contract/gateway'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SnapshotFile, type Seal } from './snapshot-file.ts'
import { changesTo, openHarness, seal, snapshotOf, type Harness } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

let harness: Harness
let path: string
const errors: unknown[] = []
beforeEach(() => {
  harness = openHarness()
  path = join(harness.folder, 'gateway-snapshot.json')
  errors.length = 0
})
afterEach(() => harness.end())

const openFile = (of: () => Seal = () => seal) =>
  new SnapshotFile(harness.folder, of, (error) => errors.push(error))

async function keep(revision: number): Promise<SnapshotFile> {
  const file = openFile()
  file.save(snapshotOf(revision))
  await file.flush()
  return file
}

describe('the kept configuration', () => {
  it('comes back as it was, sealed and for its owner alone on the way', async () => {
    const file = await keep(1)
    expect(file.load()).toEqual(snapshotOf(1))
    expect(readFileSync(path, 'utf8')).not.toContain('a secret of the upstream')
    expect(readdirSync(harness.folder)).toEqual(['gateway-snapshot.json'])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('of several saved in a hurry is the last', async () => {
    const file = openFile()
    for (let revision = 1; revision <= 50; revision++) file.save(snapshotOf(revision))
    await file.flush()
    expect(file.load()).toMatchObject({ revision: 50 })
  })

  it('stays as it was when a later one can’t be sealed, and the failure is reported', async () => {
    await keep(1)
    const broken = openFile(() => {
      throw new Error('no key yet')
    })
    broken.save(snapshotOf(2))
    await broken.flush()
    expect(errors).toMatchObject([{ message: 'no key yet' }])
    expect(openFile().load()).toMatchObject({ revision: 1 })
  })
})

describe('what was changed since', () => {
  const linesOf = () => readFileSync(path, 'utf8').trimEnd().split('\n')
  async function keepChanges(file: SnapshotFile, ...revisions: number[]): Promise<void> {
    for (const revision of revisions) {
      file.save(snapshotOf(revision), changesTo(revision))
      await file.flush()
    }
  }

  it('is added, and nothing is written again', async () => {
    const file = await keep(1)
    const [whole] = linesOf()
    await keepChanges(file, 2, 3)
    expect(linesOf()).toHaveLength(3)
    expect(linesOf()[0]).toBe(whole)
    expect(openFile().load()).toEqual(snapshotOf(3))
    expect(readFileSync(path, 'utf8')).not.toContain('custom_output')
  })

  it('in a hurry is added at once', async () => {
    const file = await keep(1)
    for (let revision = 2; revision <= 50; revision++)
      file.save(snapshotOf(revision), changesTo(revision))
    await file.flush()
    expect(openFile().load()).toEqual(snapshotOf(50))
  })

  it('is left out where its line was cut short: it was not kept yet', async () => {
    await keepChanges(await keep(1), 2, 3)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -20))
    expect(openFile().load()).toEqual(snapshotOf(2))
  })

  it('is never read where a line before it is missing or was changed', async () => {
    await keepChanges(await keep(1), 2, 3)
    const [whole, second, third] = linesOf()
    for (const text of [`${whole}\n${third}\n`, `${whole}\nx${second}\n${third}\n`]) {
      writeFileSync(path, text)
      expect(() => openFile().load()).toThrow()
    }
  })

  it('leads to a file of its own where the file is gone, or holds something else', async () => {
    const file = await keep(1)
    rmSync(path)
    await keepChanges(file, 2)
    expect(linesOf()).toHaveLength(1)
    expect(openFile().load()).toEqual(snapshotOf(2))
    file.save(snapshotOf(4), changesTo(4))
    await file.flush()
    expect(linesOf()).toHaveLength(1)
    expect(openFile().load()).toEqual(snapshotOf(4))
    const later = openFile()
    await keepChanges(later, 5)
    expect(linesOf()).toHaveLength(1)
  })

  it('is written whole once the changes outgrow it', async () => {
    const file = await keep(1)
    const large = 'x'.repeat(100_000)
    const largeOf = (revision: number) => {
      const changes = changesTo(revision)
      return { ...changes, endpoints: changes.endpoints.map((each) => ({ ...each, name: large })) }
    }
    const lines: number[] = []
    for (let revision = 2; revision <= 6; revision++) {
      file.save(withChanges(snapshotOf(revision - 1), largeOf(revision)), largeOf(revision))
      await file.flush()
      lines.push(linesOf().length)
    }
    expect(lines).toEqual([2, 3, 1, 2, 3])
    expect(openFile().load()).toMatchObject({ revision: 6 })
  })
})

describe('a start', () => {
  it('serves what was kept before anybody publishes', async () => {
    await keep(7)
    const fleet = harness.start()
    expect(fleet.keptRevision).toBe(7)
    expect(await fleet.ready()).toBe(true)
    expect(await request(`http://127.0.0.1:${fleet.address.port}/t/ping`)).toMatchObject({
      text: '"7"',
    })
  })

  it('keeps what workers took over, and not what they refused', async () => {
    const fleet = harness.start({ size: 1 })
    await fleet.publish(snapshotOf(3))
    await fleet.publish({ ...snapshotOf(4), apis: 'none' })
    await fleet.stop()
    expect(openFile().load()).toMatchObject({ revision: 3 })
  })

  it.each([
    ['is missing', () => {}, 0],
    ['was changed', () => writeFileSync(path, `x${readFileSync(path, 'utf8')}`), 1],
    ['was cut short', () => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100)), 1],
    ['was sealed with another key', () => writeFileSync(path, btoa('other {}')), 1],
    ['is empty', () => writeFileSync(path, ''), 1],
  ])(
    'is clean where the file %s: workers wait for the control plane',
    async (_name, harm, reports) => {
      if (reports > 0) await keep(7)
      harm()
      const fleet = harness.start({ size: 1 })
      expect(fleet.keptRevision).toBeUndefined()
      expect(harness.logged).toHaveLength(reports)
      expect(fleet.workers()).toMatchObject([{ state: 'starting', revision: null }])
      expect(await fleet.publish(snapshotOf(1))).toEqual({ accepted: 1, refusal: undefined })
      expect(await fleet.ready()).toBe(true)
    },
  )

  it('with a kept configuration that workers refuse waits for the control plane too', async () => {
    const file = openFile()
    file.save({ ...snapshotOf(7), format: 0 })
    await file.flush()
    const fleet = harness.start({ size: 1 })
    expect(await fleet.publish(snapshotOf(8))).toEqual({ accepted: 1, refusal: undefined })
    expect(await fleet.ready()).toBe(true)
    expect(harness.logged).toEqual(['the configuration that was kept is refused'])
    expect(fleet.workers()).toMatchObject([{ revision: 8 }])
  })
})
