import type {
  ArchiveClass,
  ArchiveFileRecord,
  ArchivePhase,
  ArchiveProblem,
  FileCheck,
} from '@gatehouse/contract'

export const archiveMessages = {
  notLoaded: 'The archive could not be loaded.',
  saved: 'Saved.',
  notSaved: 'The days could not be saved.',
  begun: 'A round begins.',
  notBegun: 'The round could not be begun.',
  notDownloaded: 'The file could not be downloaded.',
  notChecked: 'The file could not be checked.',
} as const

export const classWords: Record<ArchiveClass, string> = {
  test: 'Tests',
  read: 'Reads',
  submit: 'Submits',
}

export const phaseSentences: Record<ArchivePhase, string> = {
  idle: 'No round is under way.',
  sorting: 'Looks for runs whose days are over.',
  writing: 'Writes a file.',
  checking: 'Reads the file back and compares its hashes.',
  removing: 'Removes bodies and answers that are in the file.',
}

export const problemTitles: Record<ArchiveProblem, string> = {
  disk_full: 'The disk of the archive is full',
  file_changed: 'A file of the archive is not what was written',
  failed: 'The last round stopped',
}

const checkWords: Record<FileCheck, string> = {
  intact: 'Intact',
  missing: 'Missing',
  changed: 'Changed',
  elsewhere: 'On another server',
}

export const checkColors: Record<FileCheck, string> = {
  intact: 'green',
  missing: 'red',
  changed: 'red',
  elsewhere: 'orange',
}

export const checkOf = ({ check }: ArchiveFileRecord): string =>
  check ? checkWords[check.result] : 'Intact when written'
