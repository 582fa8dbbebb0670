import { tmpdir } from 'node:os'
import type { AlarmKind, AlarmRecord, AlarmRuleRecord } from '@gatehouse/contract'
import { startLaneServer } from './lane-server.ts'

export type AlarmServer = Awaited<ReturnType<typeof startAlarmServer>>

/** A lane server whose alarms are checked when the test says so. */
export async function startAlarmServer(environment: NodeJS.ProcessEnv = {}) {
  // Time passes in long steps.
  const patient = { SESSION_IDLE_HOURS: '720', SESSION_MAX_HOURS: '8760' }
  const app = await startLaneServer({ ...patient, DATA_DIR: tmpdir(), ...environment })
  const { server, token } = app
  const get = async <T>(url: string) => (await server.send('GET', url, { token })).body as T

  const rulesOf = async (kind: AlarmKind) => {
    const [{ data }] = await get<[{ data: AlarmRuleRecord[] }]>('/api/alarm-rules?limit=100')
    return data.filter((rule) => rule.kind === kind)
  }
  /** Changes the rule that every installation has of a kind. */
  async function change(kind: AlarmKind, changes: Record<string, unknown>) {
    const [rule] = await rulesOf(kind)
    const url = `/api/alarm-rules/${rule!.id}`
    const answer = await server.send('PUT', url, { token, body: { ...rule, ...changes } })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  return {
    ...app,
    rulesOf,
    change,
    addRule: (body: Record<string, unknown>) =>
      server.send('POST', '/api/alarm-rules', { token, body: { is_on: true, ...body } }),
    /** What runs and lanes of tests before have left is no alarm of this one. */
    forget: async () => {
      const { db, time } = server
      await db
        .updateTable('run')
        .set({ state: 'stopped', closed_at: time.now.toISOString() })
        .where('state', 'in', ['unknown', 'rejected', 'not_started'])
        .execute()
      await db.updateTable('lane').set({ paused_by: 'A person' }).execute()
      await db.updateTable('alarm').set({ acknowledged_at: time.now.toISOString() }).execute()
      await server.unattended.alarms.keeper.look()
    },
    /** Time passes, in which other rounds have looked, and the rules are looked at. */
    check: async (minutes = 0) => {
      server.time.now = new Date(server.time.now.getTime() + minutes * 60_000)
      const round_at = server.time.now.toISOString()
      await server.db
        .updateTable('duty')
        .set({ round_at })
        .where('round_at', 'is not', null)
        .execute()
      await server.unattended.alarms.keeper.look()
    },
    /** The same where no server has looked in between. */
    checkLate: async (minutes: number) => {
      server.time.now = new Date(server.time.now.getTime() + minutes * 60_000)
      await server.unattended.alarms.keeper.look()
    },
    alarms: async (query = 'state=current') => {
      const [{ data }] = await get<[{ data: AlarmRecord[] }]>(`/api/alarms?limit=100&${query}`)
      return data
    },
    /** What the open alarms of a kind are about. */
    subjects: async (kind: AlarmKind) => {
      const [{ data }] = await get<[{ data: AlarmRecord[] }]>(
        `/api/alarms?limit=100&state=current&kind=${kind}`,
      )
      return data.map(({ subject }) => subject).toSorted()
    },
    bell: () => get<{ count: number; alarms: AlarmRecord[] }>('/api/alarms/bell'),
  }
}
