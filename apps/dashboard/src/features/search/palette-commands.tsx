import { Group, Text } from '@mantine/core'
import type { Permission } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import type { PaletteItem, PaletteSection } from './palette-section.ts'

/** A screen as the palette offers it. */
export interface OfferedScreen {
  paths: readonly [string, ...string[]]
  title: string
  permission: Permission | 'session'
  parent?: string
  menu?: { label: string; group?: string }
}

type Can = (permission: Permission | 'session') => boolean

const commandsMax = 6

/** What the buttons of lists are called, where the screen behind them has another title. */
const actions: Record<string, string> = {
  [paths.apiCreate]: 'Add Api',
  [paths.endpointCreate]: 'Add endpoint',
  [paths.userCreate]: 'Add user',
  [paths.roleCreate]: 'Add role',
  [paths.workflowCreate]: 'Add workflow',
  [paths.reconciliationCreate]: 'Add comparison',
  [paths.alarmRuleCreate]: 'Add alarm rule',
  [paths.alarmChannelCreate]: 'Add alarm channel',
}

const auditThings = [
  ['api', 'APIs'],
  ['endpoint', 'endpoints'],
  ['user', 'users'],
  ['role', 'roles'],
  ['access', 'access'],
  ['token', 'personal tokens'],
  ['workflow', 'workflows'],
] as const

interface Command {
  label: string
  hint: string
  address: string
}

/** Screens, actions and parts of the audit trail that fit what was typed, as far as the user may. */
export function commandSection(
  screens: readonly OfferedScreen[],
  can: Can,
  typed: string,
): PaletteSection {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  const fits = ({ label, hint }: Command) => {
    const text = plain(`${label} ${hint}`)
    return words.every((word) => text.includes(word))
  }
  const begins = ({ label }: Command) => Number(!plain(label).startsWith(words[0] ?? ''))
  const found = words.length === 0 ? [] : commandsFor(screens, can).filter(fits)
  const shown = found.toSorted((one, other) => begins(one) - begins(other)).slice(0, commandsMax)
  return { title: 'Screens and actions', items: shown.map(toItem) }
}

function commandsFor(screens: readonly OfferedScreen[], can: Can): Command[] {
  const offered = screens.filter(
    ({ paths: [path], permission }) => !path.includes(':') && can(permission),
  )
  const audited = can('audit.view') ? auditThings : []
  return [
    ...offered.map(({ paths: [address], title, menu }) => {
      const label = actions[address] ?? menu?.label ?? title
      const hint = [menu?.group, title].filter((part) => part !== undefined && part !== label)
      return { label, hint: hint.join(' · '), address }
    }),
    ...audited.map(([thing, name]) => ({
      label: `Changes of ${name}`,
      hint: `Audit Trail · ${thing}.create ${thing}.update ${thing}.delete`,
      address: `${paths.audit}?thing=${thing}`,
    })),
  ]
}

const toItem = ({ label, hint, address }: Command): PaletteItem => ({
  key: `command ${address}`,
  address,
  content: (
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="xs" ta="end" style={{ overflowWrap: 'anywhere' }}>
        {hint}
      </Text>
    </Group>
  ),
})

/** Case and accents do not count. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
