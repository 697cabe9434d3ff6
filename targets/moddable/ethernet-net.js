// The SDK's module `net` without what it asks of Wi-Fi, which an emulated board hasn't.
export default {
  resolve(host, callback) {
    native("xs_net_resolve").call(this, host, callback);
  },
};
