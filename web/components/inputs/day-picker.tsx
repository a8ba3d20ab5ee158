// The browser's calendar beside a field for a day. It is for the mouse only: a day can also be typed into the field.
import classes from './day-picker.module.css'

/** `2024-04-01`, and not a day in other words. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** `value`: the day of the field; anything that is not a day shows none. */
export function DayPicker({ value, onDay }: { readonly value: string; readonly onDay: (day: string) => void }) {
  return (
    <input
      type="date"
      aria-hidden="true"
      className={classes.picker}
      tabIndex={-1}
      value={isDay(value) ? value : ''}
      onChange={event => onDay(event.currentTarget.value)}
    />
  )
}
