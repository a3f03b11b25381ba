import { weirCommand } from './weir-command.ts'

/** The failed action, by system call. */
const works: Readonly<Record<string, string>> = {
  access: 'be read and written',
  open: 'be opened',
  read: 'be read',
  write: 'be written',
  mkdir: 'be created',
  scandir: 'be listed',
  chmod: 'be made private',
  rename: 'be moved',
  unlink: 'be deleted',
  rm: 'be deleted',
  rmdir: 'be deleted',
}

/** Causes, by error code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file is in its place',
  EISDIR: 'a folder is in its place',
  EMFILE: 'too many files are open',
}

/** ClickHouse's error names for a missing database or table. */
const missing = new Set(['UNKNOWN_DATABASE', 'UNKNOWN_TABLE'])

/** An error from the system, from ClickHouse, or from a library that wraps the cause. */
type AnyError = NodeJS.ErrnoException & { readonly type?: string; readonly cause?: unknown }

/** The message of an error, written for a person. */
export function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { path, code = '', syscall = '', type = '', message, cause } = error as AnyError
  if (missing.has(type)) return `${message.trim()} Create Weir’s tables: ${weirCommand} migrate`
  const reason = reasons[code]
  if (path !== undefined && reason) return `${path} cannot ${works[syscall] ?? 'be used'}: ${reason} (${code}).`
  if (reason && syscall === 'write') return `A file cannot be written: ${reason} (${code}).`
  return message === 'fetch failed' && cause instanceof Error ? explained(cause) : message
}
