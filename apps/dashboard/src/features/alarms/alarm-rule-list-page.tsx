import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { alarmKindFacts, type AlarmLimit } from '@gatehouse/contract/alarm-kinds'
import type { AlarmRuleRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { ruleQueries, useDeleteRule } from './alarm-queries.ts'
import { AlarmTabs } from './alarm-tabs.tsx'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

/** The rules by which alarms are raised. */
export function AlarmRuleListPage() {
  const deletion = useDeleteRule()
  const can = useCan()
  const mayEdit = can('alarm.edit')
  return (
    <ListPage
      id="alarm-rules"
      title="Alarm rules"
      subtitle="Every rule is looked at every 30 seconds. A narrower rule takes precedence over one for everything."
      actions={
        <Group gap="sm">
          <AlarmTabs />
          {mayEdit && (
            <Button
              component={Link}
              to={paths.alarmRuleCreate}
              size="xs"
              leftSection={<IconPlus size={16} />}
            >
              Add rule
            </Button>
          )}
        </Group>
      }
      list={ruleQueries.list}
      searchLabel="Search rules"
      empty={{ title: 'No rules', hint: 'Without a rule nothing raises an alarm.' }}
      columns={columns}
      renderActions={(row, ask) => (
        <RowActions
          name={row.name}
          editPath={mayEdit ? paths.alarmRuleEdit(row.id) : undefined}
          viewPath={paths.alarmRuleEdit(row.id)}
          onDelete={mayEdit ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="rule"
          renderConsequences={(rule) => (
            <Text size="sm">
              <b>{rule.name}</b> raises no further alarm. Its open alarms end, and nobody is told.
              To keep it for later, switch it off instead.
            </Text>
          )}
          remove={(rule) => deletion.mutateAsync(rule.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<AlarmRuleRecord, 'id' | 'name' | 'kind'>[] = [
  {
    head: 'Rule',
    isName: true,
    sort: 'name',
    width: '30%',
    cell: (row) => (
      <>
        <NameLink to={paths.alarmRuleEdit(row.id)}>{row.name}</NameLink>
        {row.name !== alarmKindFacts[row.kind].title && (
          <Text size="xs" c="dimmed">
            {serverWords(alarmKindFacts[row.kind].title)}
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'On',
    width: '8rem',
    cell: (row) => (
      <>
        <StatusWord color={row.is_on ? 'green' : 'gray'}>{row.is_on ? 'On' : 'Off'}</StatusWord>
        {row.muted_until !== null && (
          <Text size="xs" c="dimmed">
            muted until <Moment at={row.muted_until} />
          </Text>
        )}
      </>
    ),
  },
  { head: 'Raised', cell: (row) => <Text size="sm">{whenWords(row)}</Text> },
  { head: 'Where', width: '9rem', cell: (row) => <Text size="sm">{whereWords(row)}</Text> },
  { head: 'Open', width: '5rem', isFigure: true, cell: (row) => row.open },
]

/** When the rule raises an alarm, with its limits. */
function whenWords({ kind, limits }: Pick<AlarmRuleRecord, 'kind' | 'limits'>): string {
  if (limits['minutes'] === null) return 'after a time that fits the authority'
  const when = alarmKindFacts[kind].when.replace(/\{(\w+)\}/g, (_, name: string) =>
    (limits[name as AlarmLimit] ?? 0).toLocaleString('en'),
  )
  return serverWords(when)
}

function whereWords({ where }: AlarmRuleRecord): string {
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]
  const parts = [
    ...counted(where.workflow_ids.length, 'workflow'),
    ...counted(where.lane_ids.length, 'lane'),
    ...counted(where.api_ids.length, 'API'),
  ]
  return parts.length === 0 ? 'Everything' : parts.join(', ')
}
