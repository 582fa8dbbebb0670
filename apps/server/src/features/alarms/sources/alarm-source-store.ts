import type { Db } from '../../../db/connect.ts'
import { apiFindings, type ExpirySources } from './api-findings.ts'
import { archiveFindings } from './archive-findings.ts'
import { holdFindings } from './hold-findings.ts'
import { laneFindings } from './lane-findings.ts'
import { nodeFindings, type NodesHeard } from './node-findings.ts'
import { quotaFindings } from './quota-findings.ts'
import { runFindings } from './run-findings.ts'
import { silenceFindings } from './silence-findings.ts'
import { unattendedFindings } from './unattended-findings.ts'
import { unknownReasons } from './unknown-reasons.ts'

/** Reads what rules look for. Used on the connections for long reads. */
export function alarmSourceStore(db: Db) {
  const lanes = laneFindings(db)
  return {
    ofRuns: (unknownMinutes: number) => runFindings(db, unknownMinutes),
    unknownReasons: unknownReasons(db),
    ofLanes: lanes,
    ofApis: (sources: ExpirySources) => apiFindings(db, sources),
    ofUnattended: unattendedFindings(db),
    ofNodes: (nodesHeard: NodesHeard) => nodeFindings(db, nodesHeard),
    silence: silenceFindings(db),
    /** When the last backup was made by `npm run admin`. */
    lastBackup: async (): Promise<string | undefined> => {
      const made = db.selectFrom('backup').select('made_at').orderBy('made_at', 'desc')
      return (await made.limit(1).executeTakeFirst())?.made_at
    },
    quota: quotaFindings(db),
    archive: archiveFindings(db),
    held: holdFindings(db),
  }
}
export type AlarmSources = ReturnType<typeof alarmSourceStore>
