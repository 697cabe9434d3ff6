/** A zone as a description has it. */
export const ZONE_FORM = /^(?:Z|[-+](?:0\d|1[0-5]):[0-5]\d)$/;

/** Names of zones that are those of one place alone; CST, IST and BST aren't. */
const ZONES: Readonly<Record<string, string>> = {
  ...{
    GMT: "Z",
    UTC: "Z",
    WET: "Z",
    WEST: "+01:00",
    CET: "+01:00",
    CEST: "+02:00",
    MEZ: "+01:00",
    MESZ: "+02:00",
  },
  ...{
    EET: "+02:00",
    EEST: "+03:00",
    MSK: "+03:00",
    JST: "+09:00",
    KST: "+09:00",
    AEST: "+10:00",
    AEDT: "+11:00",
  },
  ...{
    EST: "-05:00",
    EDT: "-04:00",
    CDT: "-05:00",
    MST: "-07:00",
    MDT: "-06:00",
    PST: "-08:00",
    PDT: "-07:00",
  },
};

/** The offset of a zone by its name; undefined for another text. */
export const zoneCalled = (name: string) => (Object.hasOwn(ZONES, name) ? ZONES[name] : undefined);

/** UTC, GMT+02:00, time_utc, TimeUTC. */
const UTC_NAMED = /(?:utc|(?<![a-z])gmt)(?:\s?([-+])(\d{1,2})(?::?(\d\d))?)?(?![a-z\d])/i;
/** Time (CET), Zeit [MEZ]. */
const ZONE_IN_BRACKETS = /[[(]([A-Z]{3,4})[\])]/;

/** The zone that a column's name says its times are in; undefined for none. */
export function zoneNamed(name: string): string | undefined {
  const [all, sign = "+", hours = "0", minutes = "00"] = UTC_NAMED.exec(name) ?? [];
  if (all === undefined) return zoneCalled(ZONE_IN_BRACKETS.exec(name)?.[1] ?? "");
  const zone = `${sign}${hours.padStart(2, "0")}:${minutes}`;
  return ZONE_FORM.test(zone) ? (Number(hours) + Number(minutes) === 0 ? "Z" : zone) : undefined;
}
