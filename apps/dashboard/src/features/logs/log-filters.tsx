import { Group, Select, Switch } from '@mantine/core'
import { logLevels } from '@gatehouse/contract/log-levels'
import { SearchBox } from '../../ui/search-box.tsx'
import type { LogParamsState } from './log-params.ts'

const atLeast = (level: (typeof logLevels)[number]) =>
  logLevels.slice(logLevels.indexOf(level)).join(',')

const levelChoices = [
  { value: '', label: 'All levels' },
  { value: atLeast('error'), label: 'Error and worse' },
  { value: atLeast('warning'), label: 'Warning and worse' },
  ...logLevels.map((level) => ({ value: level, label: level })),
]

interface LogFiltersProps extends LogParamsState {
  /** Only the standard format has levels. */
  hasLevels: boolean
}

/** Which entries are shown, and whether new ones are. */
export function LogFilters({ params, setFilter, follow, hasLevels }: LogFiltersProps) {
  const isKnown = levelChoices.some(({ value }) => value === params.level)
  return (
    <Group gap="sm" mb="sm">
      <SearchBox
        label="Search this file"
        value={params.search}
        onChange={(search) => setFilter({ search })}
      />
      {hasLevels && (
        <Select
          aria-label="Level"
          data={isKnown ? levelChoices : [...levelChoices, params.level]}
          value={params.level}
          allowDeselect={false}
          onChange={(level) => setFilter({ level: level ?? '' })}
          w={{ base: '100%', xs: 190 }}
        />
      )}
      <Switch
        label="Follow"
        checked={params.isFollowing}
        onChange={(event) => follow(event.currentTarget.checked)}
      />
    </Group>
  )
}
