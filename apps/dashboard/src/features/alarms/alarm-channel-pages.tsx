import { useQuery } from '@tanstack/react-query'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { AlarmChannelForm } from './alarm-channel-form.tsx'
import { channelQueries } from './alarm-queries.ts'
import { channelMessages } from './alarms-messages.ts'

export function AlarmChannelCreatePage() {
  return (
    <Page title="Add alarm channel">
      <AlarmChannelForm />
    </Page>
  )
}

export function AlarmChannelEditPage() {
  const id = useRecordId()
  const query = useQuery(channelQueries.edit(id))
  useThingName(query.data?.channel.name, { part: 'Edit' })
  return (
    <Page title="Edit alarm channel" actions={<HistoryLink thing="alarm-channel" id={id} />}>
      <FormLoader
        query={query}
        failureText={channelMessages.notLoaded}
        thing={{ thing: 'alarm-channel', id }}
      >
        {({ channel }) => <AlarmChannelForm channel={channel} />}
      </FormLoader>
    </Page>
  )
}
