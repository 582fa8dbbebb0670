import { Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { RoleOption } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { shownMax } from './access-choices.ts'
import { filterVerdicts, type Verdict, type VerdictFilter } from './filter-verdicts.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import classes from './verdict-list.module.css'

interface VerdictListProps {
  searchLabel: string
  verdicts: readonly Verdict[]
}

/** Allowed or not, one line each, with what says so. */
export function VerdictList({ searchLabel, verdicts }: VerdictListProps) {
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<VerdictFilter>('all')
  const [limit, setLimit] = useState(shownMax)
  const matches = useMemo(
    () => filterVerdicts(verdicts, search, filter),
    [verdicts, search, filter],
  )
  const allowedCount = verdicts.filter(({ isAllowed }) => isAllowed).length
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchBox label={searchLabel} value={search} onChange={setSearch} />
        <SegmentedControl
          size="xs"
          aria-label="Which to show"
          value={filter}
          onChange={setFilter}
          data={[
            { value: 'all', label: `All ${verdicts.length}` },
            { value: 'allowed', label: `Allowed ${allowedCount}` },
            { value: 'denied', label: `Not allowed ${verdicts.length - allowedCount}` },
          ]}
        />
      </Group>
      {matches.length === 0 && (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      )}
      <ul className={classes['list']} aria-label={searchLabel.replace('Search ', '')}>
        {matches.slice(0, limit).map((verdict) => (
          <VerdictLine key={verdict.id} verdict={verdict} />
        ))}
      </ul>
      {matches.length > limit && (
        <div>
          <Button variant="default" size="xs" onClick={() => setLimit(limit + 4 * shownMax)}>
            Show more ({matches.length - limit} left)
          </Button>
        </div>
      )}
    </Stack>
  )
}

function VerdictLine({ verdict }: { verdict: Verdict }) {
  return (
    <li className={classes['line']}>
      <Badge color={verdict.isAllowed ? 'green' : 'gray'} className={classes['badge'] ?? ''}>
        {verdict.isAllowed ? 'allowed' : 'not allowed'}
      </Badge>
      <div className={classes['name']}>
        <Text size="sm" fw={600}>
          {verdict.name}
        </Text>
        <Text size="xs" c="dimmed">
          {verdict.detail}
        </Text>
      </div>
      <div className={classes['reason']}>
        <Text size="sm">{serverWords(verdict.reason)}</Text>
        {verdict.grants.length > 0 && <Grants grants={verdict.grants} />}
      </div>
    </li>
  )
}

/** The roles that hold it, leading to where that is decided. */
function Grants({ grants }: { grants: RoleOption[] }) {
  return (
    <Group gap={4} mt={2}>
      {grants.map(({ id, name }) => (
        <Badge key={id} component={Link} to={paths.accessEdit(id)} color="blue">
          {name}
        </Badge>
      ))}
    </Group>
  )
}
