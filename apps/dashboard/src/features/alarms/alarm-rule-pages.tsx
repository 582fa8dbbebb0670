import { useQuery } from '@tanstack/react-query'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ruleQueries } from './alarm-queries.ts'
import { AlarmRuleForm } from './alarm-rule-form.tsx'
import { ruleMessages } from './alarms-messages.ts'

export function AlarmRuleCreatePage() {
  const query = useQuery(ruleQueries.create())
  return (
    <Page title="Add alarm rule">
      <FormLoader query={query} failureText={ruleMessages.notLoaded}>
        {(choices) => <AlarmRuleForm choices={choices} />}
      </FormLoader>
    </Page>
  )
}

export function AlarmRuleEditPage() {
  const id = useRecordId()
  const query = useQuery(ruleQueries.edit(id))
  useThingName(query.data?.rule.name, { part: 'Edit' })
  const can = useCan()
  return (
    <Page
      title={can('alarm.edit') ? 'Edit alarm rule' : 'Alarm rule'}
      actions={<HistoryLink thing="alarm-rule" id={id} />}
    >
      <FormLoader
        query={query}
        failureText={ruleMessages.notLoaded}
        thing={{ thing: 'alarm-rule', id }}
      >
        {({ rule, ...choices }) => (
          <AlarmRuleForm choices={choices} rule={rule} isReadOnly={!can('alarm.edit')} />
        )}
      </FormLoader>
    </Page>
  )
}
