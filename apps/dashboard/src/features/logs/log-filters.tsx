import { Group } from '@mantine/core'
import type { LogPage } from '@gatehouse/contract'
import { logLevels } from '@gatehouse/contract/log-levels'
import { BareCheckbox } from '../../ui/form/bare-checkbox.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { LevelCounts } from './level-counts.tsx'
import classes from './log-filters.module.css'
import type { LogParamsState } from './log-params.ts'

const atLeast = (level: (typeof logLevels)[number]) =>
  logLevels.slice(logLevels.indexOf(level)).join(',')

const levelChoices = [
  { value: '', label: 'All levels' },
  { value: atLeast('error'), label: 'Error and worse' },
  { value: atLeast('warning'), label: 'Warning and worse' },
]

interface LogFiltersProps extends LogParamsState {
  answer: LogPage
}

/** Which entries are shown, and whether new ones are. */
export function LogFilters({ answer, params, setFilter, follow }: LogFiltersProps) {
  const isKnown = levelChoices.some(({ value }) => value === params.level)
  const named = { value: params.level, label: params.level.replaceAll(',', ', ') }
  const handleLevel = (level: string) => setFilter({ level })
  return (
    <Group gap="xs" mb={6}>
      <SearchBox
        label="Search this file"
        value={params.search}
        onChange={(search) => setFilter({ search })}
      />
      {/* Only the standard format has levels. */}
      {answer.standardFormat && (
        <select
          className={classes['select']}
          aria-label="Level"
          value={params.level}
          onChange={(event) => handleLevel(event.currentTarget.value)}
        >
          {(isKnown ? levelChoices : [...levelChoices, named]).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <BareCheckbox
        label="Follow"
        isChecked={params.isFollowing}
        onToggle={() => follow(!params.isFollowing)}
      />
      {answer.standardFormat && (
        <LevelCounts answer={answer} chosen={params.level} onChange={handleLevel} />
      )}
    </Group>
  )
}
