import { apis, contexts, endpoints } from './api-sections.ts'
import { issuers } from './issuer-section.ts'
import { access, alarmChannels, alarmRules, archive, roles } from './other-sections.ts'
import type { Kind } from './references.ts'
import type { Section } from './section.ts'
import { reconciliations, schedules, webhooks, workflows } from './workflow-sections.ts'

/** In the order in which they are made: each may refer to those before it. They are removed from the end. */
export const sections: readonly Section[] = [
  apis,
  contexts,
  endpoints,
  workflows,
  webhooks,
  schedules,
  reconciliations,
  alarmChannels,
  alarmRules,
  archive,
  roles,
  access,
  issuers,
]

/** What a thing of a section is called where others refer to it. */
export const kindOfSection: Readonly<Record<string, Kind>> = {
  apis: 'api',
  endpoints: 'endpoint',
  workflows: 'workflow',
  alarm_channels: 'channel',
  roles: 'role',
}

/**
 * Tables that hold configuration, and the section that has them. A test lists every other table,
 * and holds both to the schema.
 */
export const configurationTables = {
  api: 'apis',
  endpoint: 'endpoints',
  workflow: 'workflows',
  workflow_version: 'workflows',
  workflow_endpoint: 'workflows',
  workflow_callback: 'workflows',
  lane: 'workflows',
  hook: 'webhooks',
  schedule: 'schedules',
  reconciliation: 'reconciliations',
  alarm_channel: 'alarm_channels',
  alarm_rule: 'alarm_rules',
  archive_setting: 'archive',
  role: 'roles',
  role_permission: 'roles',
  role_endpoint: 'access',
  role_workflow: 'access',
  token_issuer: 'token_issuers',
  token_issuer_role: 'token_issuers',
} as const
