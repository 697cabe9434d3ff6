// Resource, for the SDK's TLS: it looks here for certificates of authorities besides the given one, and finds none.
export default class Resource {
  get byteLength() {
    return 0;
  }
}
