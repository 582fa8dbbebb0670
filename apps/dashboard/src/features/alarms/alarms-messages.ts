import type { AlarmState } from '@gatehouse/contract'

const saves = (noun: string) => ({
  notLoaded: `The ${noun} could not be loaded.`,
  create: {
    saved: { text: `${noun[0]?.toUpperCase()}${noun.slice(1)} added.` },
    notSaved: { text: `The ${noun} was not added.` },
  },
  update: {
    saved: { text: `${noun[0]?.toUpperCase()}${noun.slice(1)} saved.` },
    notSaved: { text: `The ${noun} was not saved.` },
  },
})

export const ruleMessages = saves('rule')
export const channelMessages = saves('channel')

export const alarmStateWords: Record<AlarmState, string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  ended: 'Over',
}
export const alarmStateColors: Record<AlarmState, string> = {
  open: 'red',
  acknowledged: 'blue',
  ended: 'gray',
}

export const acknowledgedWords = (count: number) =>
  count === 1 ? '1 alarm acknowledged.' : `${count} alarms acknowledged.`
