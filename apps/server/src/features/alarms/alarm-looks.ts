import type { AlarmKind, ApiSignIn } from '@gatehouse/contract'
import type { Settings } from '../../settings/settings.ts'
import type { Asked, Finding } from './finding.ts'
import type { AlarmSources } from './sources/alarm-source-store.ts'
import { certificateEnd, backupFindings } from './sources/machine-findings.ts'
import type { NodesHeard } from './sources/node-findings.ts'

/** Finds what fits a rule now. */
type Look = (asked: Asked) => Promise<Finding[]>
/** The rule about the checks itself is looked at by the check. */
export type Looks = Record<Exclude<AlarmKind, 'check'>, Look>

interface LookOptions {
  sources: AlarmSources
  settings: Pick<Settings, 'backupDir' | 'tls' | 'unknownAlarmMinutes'>
  /** Every API with a sign-in or a client certificate. */
  signIns: () => Promise<ApiSignIn[]>
  nodesHeard: NodesHeard
}

/** How each kind of rule is looked at. A new kind of alarm is one row here. */
export function alarmLooks({ sources, settings, signIns, nodesHeard }: LookOptions): Looks {
  const runs = sources.ofRuns(settings.unknownAlarmMinutes)
  const apis = sources.ofApis({
    signIns,
    gatewayCertificateEnd: () => certificateEnd(settings.tls?.certFile),
  })
  const { ofLanes: lanes } = sources
  return {
    ...runs,
    lane_outage: lanes.lane_outage,
    lane_depth: lanes.lane_depth,
    deadline: lanes.deadline,
    sign_in: async (asked) => [
      ...(await apis.refusedSignIns(asked)),
      ...(await lanes.pausedLanes(asked)),
    ],
    expiry: apis.expiry,
    ...sources.ofUnattended,
    silence: sources.silence,
    error_rate: apis.error_rate,
    quota: sources.quota,
    drift: apis.drift,
    ...sources.ofNodes(nodesHeard),
    archive: sources.archive,
    held: sources.held,
    backup: backupFindings(settings.backupDir, sources.lastBackup),
  }
}
