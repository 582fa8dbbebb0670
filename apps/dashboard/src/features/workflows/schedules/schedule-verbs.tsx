import { Button, Text } from '@mantine/core'
import type { ScheduleRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../../lib/page/notify.tsx'
import { useNavigateIfHere } from '../../../lib/page/screen-address.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { DeleteDialog } from '../../../ui/dialog/delete-dialog.tsx'
import { useScheduleActions } from './schedule-queries.ts'

/** What people may do with a schedule, by their permissions. */
export function ScheduleVerbs({ schedule }: { schedule: ScheduleRecord }) {
  const can = useCan()
  const navigate = useNavigateIfHere()
  const [asked, setAsked] = useState<ScheduleRecord>()
  const { pause, resume, run, remove } = useScheduleActions(schedule.id)
  const perform = async (
    action: Pick<typeof pause, 'mutateAsync'>,
    done: string,
    failed: string,
  ) => {
    try {
      await action.mutateAsync()
      notifySuccess(done)
    } catch (error) {
      notifyError(failed, messageOf(error))
    }
  }
  const rest = schedule.is_active ? pause : resume
  return (
    <>
      {can('workflow.operate') && (
        <>
          <Button
            variant="default"
            loading={run.isPending}
            onClick={() => void perform(run, 'The schedule fires now.', 'It can’t fire now.')}
          >
            Run now
          </Button>
          <Button
            variant="default"
            loading={rest.isPending}
            onClick={() =>
              void (schedule.is_active
                ? perform(pause, 'Schedule paused.', 'The schedule could not be paused.')
                : perform(resume, 'Schedule resumed.', 'The schedule could not be resumed.'))
            }
          >
            {schedule.is_active ? 'Pause' : 'Resume'}
          </Button>
        </>
      )}
      {can('workflow.edit') && (
        <>
          <Button component={Link} to={paths.scheduleEdit(schedule.id)} variant="default">
            Edit
          </Button>
          <Button variant="subtle" color="red" onClick={() => setAsked(schedule)}>
            Delete
          </Button>
          <DeleteDialog
            row={asked}
            noun="schedule"
            renderConsequences={() => (
              <Text size="sm">
                It does not fire any more, and its firings are deleted. The runs that it started
                stay. A new schedule would take elements of the list again that this one has taken.
              </Text>
            )}
            remove={async () => {
              await remove.mutateAsync()
              navigate(paths.workflow(schedule.workflow.id))
            }}
            onClose={() => setAsked(undefined)}
          />
        </>
      )}
    </>
  )
}
